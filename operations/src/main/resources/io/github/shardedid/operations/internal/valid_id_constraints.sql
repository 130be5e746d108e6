-- For each constraint that is valid, a statement that adds it in a copy. Parameter: the shard's schema.
SELECT pg_catalog.format('ALTER TABLE IF EXISTS %I.%I DROP CONSTRAINT IF EXISTS %I, ADD CONSTRAINT %3$I %s', n.nspname, c.relname, k.conname,
  pg_catalog.pg_get_constraintdef(k.oid)) FROM pg_catalog.pg_constraint k JOIN pg_catalog.pg_class c ON c.oid = k.conrelid
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ?
  AND k.conname LIKE 'sharded\_id\_check%' AND k.convalidated AND NOT c.relispartition ORDER BY c.relname, k.conname
