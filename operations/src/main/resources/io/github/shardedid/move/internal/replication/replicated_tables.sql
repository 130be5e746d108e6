-- The replicated tables that a database has: copies, or the originals.
SELECT t.tgrelid::regclass::text FROM pg_trigger t WHERE t.tgname = 'sharded_id_replicated'
UNION SELECT r.prrelid::regclass::text FROM pg_publication_rel r JOIN pg_publication p ON p.oid = r.prpubid WHERE p.pubname = 'sharded_id_global'
ORDER BY 1
