-- in each database but the global one
DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT subname FROM pg_subscription s JOIN pg_database d ON d.oid = s.subdbid
    WHERE d.datname = current_database() AND subname LIKE 'sharded\_id\_global\_%' LOOP
    EXECUTE format('ALTER SUBSCRIPTION %I DISABLE', name);
    EXECUTE format('ALTER SUBSCRIPTION %I SET (slot_name = NONE)', name);
    EXECUTE format('DROP SUBSCRIPTION %I', name);
  END LOOP;
END $$;
DROP SCHEMA sharded_global CASCADE; -- the copies, and foreign keys to them
