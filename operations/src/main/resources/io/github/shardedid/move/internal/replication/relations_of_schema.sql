-- The relations of a schema. Parameters: the schema, and their kinds.
SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ? AND c.relkind = ANY (?)
  ORDER BY 1
