-- The replicated tables that a database has: copies, or the originals.
SELECT '"' || replace(n.nspname, '"', '""') || '"."' || replace(c.relname, '"', '""') || '"' FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = c.oid AND t.tgname = 'sharded_id_replicated')
  OR EXISTS (SELECT FROM pg_publication_rel r JOIN pg_publication p ON p.oid = r.prpubid WHERE r.prrelid = c.oid AND p.pubname = 'sharded_id_global')
ORDER BY 1
