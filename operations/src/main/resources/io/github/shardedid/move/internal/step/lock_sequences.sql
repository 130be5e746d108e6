-- For each sequence of a schema, a statement that locks it and changes nothing.
SELECT format('ALTER SEQUENCE %I.%I OWNER TO %I', n.nspname, c.relname, pg_get_userbyid(c.relowner))
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ? AND c.relkind = 'S'
  ORDER BY c.relname
