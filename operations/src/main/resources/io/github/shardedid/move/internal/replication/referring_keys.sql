-- Some foreign keys that refer to tables. Parameters: their schema, and their names.
SELECT k.conrelid::regclass || '.' || k.conname FROM pg_constraint k JOIN pg_class c ON c.oid = k.confrelid
  WHERE k.contype = 'f' AND c.relnamespace = to_regnamespace(?) AND c.relname = ANY (?) ORDER BY 1 LIMIT 5
