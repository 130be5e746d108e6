-- In the global database: the slots of the databases that have copies, which awaiting and health read; and the publication, which is empty
-- at first.
CREATE TABLE IF NOT EXISTS sharded_id.replicated (slot_name name PRIMARY KEY, database text NOT NULL);
GRANT SELECT ON sharded_id.replicated TO PUBLIC;
DO $body$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_catalog.pg_publication WHERE pubname = 'sharded_id_global') THEN
    CREATE PUBLICATION sharded_id_global;
  END IF;
END
$body$;
