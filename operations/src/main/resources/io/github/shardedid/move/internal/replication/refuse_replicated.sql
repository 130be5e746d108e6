-- Refuses writes to the copies of replicated tables, and to truncate the originals. Replication itself does not fire the triggers.
CREATE OR REPLACE FUNCTION sharded_id.refuse_replicated() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
  IF TG_NAME = 'sharded_id_original' THEN
    RAISE EXCEPTION 'Table %.% is not truncated: it has copies in other databases, to which foreign keys may refer', TG_TABLE_SCHEMA, TG_TABLE_NAME
      USING ERRCODE = 'ID002', HINT = 'Use DELETE.';
  END IF;
  RAISE EXCEPTION 'Nothing is written to %.% of this database: it is a copy of the table in the global database', TG_TABLE_SCHEMA, TG_TABLE_NAME
    USING ERRCODE = 'ID002', HINT = 'Write to the global database; replication brings the row here.';
END
$body$;
