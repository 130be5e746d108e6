-- The trigger on each copy of a replicated table. Replication itself does not fire it.
CREATE OR REPLACE FUNCTION sharded_id.refuse_replicated() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
  RAISE EXCEPTION 'Nothing is written to %.% of this database: it is a copy of the table in the global database', TG_TABLE_SCHEMA, TG_TABLE_NAME
    USING ERRCODE = 'ID002', HINT = 'Write to the global database; replication brings the row here.';
END
$body$;
