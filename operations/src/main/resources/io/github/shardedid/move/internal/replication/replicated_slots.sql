-- In the global database: the slots of the databases that have copies, which awaiting and health read; and the publication, which is empty
-- at first. One that was dropped or restricted gets all originals again, those of other applications, too.
CREATE TABLE IF NOT EXISTS sharded_id.replicated (slot_name name PRIMARY KEY, database text NOT NULL);
GRANT SELECT ON sharded_id.replicated TO PUBLIC;
DO $body$
DECLARE
  original regclass;
BEGIN
  IF EXISTS (SELECT FROM pg_catalog.pg_publication p LEFT JOIN pg_catalog.pg_publication_rel r ON r.prpubid = p.oid
      WHERE p.pubname = 'sharded_id_global'
        AND (NOT (p.pubinsert AND p.pubupdate AND p.pubdelete) OR r.prqual IS NOT NULL OR r.prattrs IS NOT NULL)) THEN
    DROP PUBLICATION sharded_id_global;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_catalog.pg_publication WHERE pubname = 'sharded_id_global') THEN
    CREATE PUBLICATION sharded_id_global;
  END IF;
  FOR original IN SELECT t.tgrelid FROM pg_catalog.pg_trigger t WHERE t.tgname = 'sharded_id_original'
      AND NOT EXISTS (SELECT FROM pg_catalog.pg_publication_rel r JOIN pg_catalog.pg_publication p ON p.oid = r.prpubid
        WHERE p.pubname = 'sharded_id_global' AND r.prrelid = t.tgrelid) LOOP
    EXECUTE pg_catalog.format('ALTER PUBLICATION sharded_id_global ADD TABLE %s', original);
  END LOOP;
END
$body$;
