-- The bytes of the tables of a schema.
SELECT coalesce(sum(pg_table_size(c.oid)), 0)::bigint FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = ? AND c.relkind = 'r'
