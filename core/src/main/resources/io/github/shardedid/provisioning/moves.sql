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
