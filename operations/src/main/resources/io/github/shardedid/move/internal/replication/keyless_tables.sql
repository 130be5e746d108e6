-- The tables of a schema whose rows no key names, with their replica identities.
SELECT c.relname, CASE c.relreplident WHEN 'n' THEN 'NOTHING' ELSE 'DEFAULT' END FROM pg_class c JOIN pg_namespace n ON n.oid =
  c.relnamespace WHERE n.nspname = ? AND c.relkind = 'r' AND c.relreplident <> 'f' AND NOT EXISTS (SELECT
  FROM pg_index i WHERE i.indrelid = c.oid AND i.indisvalid AND (c.relreplident = 'd' AND i.indisprimary AND i.indimmediate OR
  c.relreplident = 'i' AND i.indisreplident))
