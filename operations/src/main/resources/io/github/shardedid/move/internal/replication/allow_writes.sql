-- For each table of a schema whose writes are blocked, a statement that allows them.
SELECT format('DROP TRIGGER %I ON %I.%I', t.tgname, n.nspname, c.relname)
  FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = ? AND t.tgname = 'sharded_id_refuse_write' ORDER BY c.relname
