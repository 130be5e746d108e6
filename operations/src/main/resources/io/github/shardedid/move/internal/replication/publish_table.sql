-- Publishes a table, from which rows may be deleted only one by one.
CREATE OR REPLACE TRIGGER sharded_id_original BEFORE TRUNCATE ON %1$s FOR EACH STATEMENT EXECUTE FUNCTION sharded_id.refuse_replicated();
  ALTER PUBLICATION sharded_id_global ADD TABLE %1$s
