-- The schemas of the types of all columns. Parameter: the shard's schema.
SELECT DISTINCT quote_ident(s.nspname) FROM pg_namespace n
  JOIN pg_class c ON c.relnamespace = n.oid AND c.relkind IN ('r', 'p') JOIN pg_attribute a ON a.attrelid = c.oid
  JOIN pg_type t ON t.oid = a.atttypid JOIN pg_namespace s ON s.oid = t.typnamespace
WHERE n.nspname = ? AND a.attnum > 0 AND s.nspname NOT IN (n.nspname, 'pg_catalog')
