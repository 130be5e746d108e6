-- then in the global database
DROP PUBLICATION sharded_id_global;
DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT s.slot_name FROM sharded_id.replicated JOIN pg_replication_slots s USING (slot_name) LOOP
    PERFORM pg_drop_replication_slot(name);
  END LOOP;
END $$;
DROP TABLE sharded_id.replicated;
DROP FUNCTION sharded_id.refuse_replicated CASCADE; -- and its triggers
