-- The tables of a publication.
SELECT format('%I.%I', n.nspname, c.relname) FROM pg_publication p JOIN pg_publication_rel r ON r.prpubid = p.oid JOIN pg_class c ON c.oid
  = r.prrelid JOIN pg_namespace n ON n.oid = c.relnamespace WHERE p.pubname = ? ORDER BY c.oid
