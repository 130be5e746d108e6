-- For each table of a schema, statements that block its writes. Parameters: whether also those of replication, and the schema.
SELECT format('CREATE TRIGGER sharded_id_refuse_write BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON %1$I.%2$I'
    || ' FOR EACH STATEMENT EXECUTE FUNCTION sharded_id.refuse_write()'
    || CASE WHEN ? THEN '; ALTER TABLE %1$I.%2$I ENABLE ALWAYS TRIGGER sharded_id_refuse_write' ELSE '' END, n.nspname, c.relname)
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ? AND c.relkind IN ('r', 'p') ORDER BY c.relname
