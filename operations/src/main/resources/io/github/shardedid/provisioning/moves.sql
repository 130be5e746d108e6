-- What moves of shards need in each database, source or target.

-- Whoever listens builds a new shard map, whatever has changed what this database owns: a move, or an operator's UPDATE.
CREATE OR REPLACE FUNCTION sharded_id.map_changed() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
  PERFORM pg_notify('sharded_id_map', '');
  RETURN NULL;
END
$body$;

DROP TRIGGER IF EXISTS map_changed ON sharded_id.shard;
CREATE TRIGGER map_changed AFTER INSERT OR UPDATE OF shard, generation, state OR DELETE ON sharded_id.shard
FOR EACH STATEMENT EXECUTE FUNCTION sharded_id.map_changed();

-- The trigger on each table of a shard's copy that is not the shard itself: the old one behind the fence, always; the new one until
-- it owns the shard, but for the rows that replication brings.
CREATE OR REPLACE FUNCTION sharded_id.refuse_write() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
  RAISE EXCEPTION 'Nothing is written to %.%: it is not the shard, but a copy of it', TG_TABLE_SCHEMA, TG_TABLE_NAME
    USING ERRCODE = 'ID002',
          HINT = 'Which database owns the shard say the tables sharded_id.shard of all databases: the one with the highest generation.';
END
$body$;

-- Fences a copy that its database claims to serve although another one owns a later generation, as a restored database does: nobody
-- finds it under the shard's name, nobody writes to it, and a journal that was restored with it is closed. Deletes nothing. Answers
-- with the schema's new name; NULL if there is no such copy, or somebody is at work on a move of the shard: SessionLock says who that
-- is, since everybody may take an advisory lock. Nobody begins until the end of the transaction.
CREATE OR REPLACE FUNCTION sharded_id.set_aside(copy_of int, copy_generation bigint) RETURNS text
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
  schema text := 'shard_' || lpad(copy_of::text, greatest(4, length(copy_of::text)), '0');
  fenced text := schema || '_fenced_' || copy_generation;
  copied regclass;
BEGIN
  LOCK TABLE sharded_id.session_lock IN SHARE ROW EXCLUSIVE MODE;
  IF ${held_on_shard} THEN
    RETURN NULL;
  END IF;
  UPDATE sharded_id.shard s SET state = 'MOVED'
  WHERE s.shard = copy_of AND s.generation = copy_generation AND s.state IN ('ACTIVE', 'MOVING', 'FENCING');
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  UPDATE sharded_id.move m SET step = 'ABORTED', changed = clock_timestamp(),
    failure = 'restored from a backup older than its end; the copy here was fenced'
  WHERE m.shard = copy_of AND m.step NOT IN ('DONE', 'ABORTED');
  IF to_regnamespace(schema) IS NULL THEN
    RETURN fenced;
  END IF;
  IF to_regnamespace(fenced) IS NOT NULL THEN
    fenced := schema || '_fenced_0';  -- of no generation
  END IF;
  FOR copied IN SELECT c.oid FROM pg_class c WHERE c.relnamespace = to_regnamespace(schema) AND c.relkind IN ('r', 'p') LOOP
    EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', copied);
    IF NOT EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = copied AND t.tgname = 'sharded_id_refuse_write') THEN
      EXECUTE format('CREATE TRIGGER sharded_id_refuse_write BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON %s'
                     ' FOR EACH STATEMENT EXECUTE FUNCTION sharded_id.refuse_write()', copied);
    END IF;
    EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER sharded_id_refuse_write', copied);
  END LOOP;
  EXECUTE format('ALTER SCHEMA %I RENAME TO %I', schema, fenced);
  RETURN fenced;
END
$body$;
