-- In each database, by an administrator.
DO $$ BEGIN
  EXECUTE format('GRANT CREATE ON DATABASE %I TO shop_owner WITH GRANT OPTION', current_database());
  EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
  EXECUTE format('GRANT CONNECT ON DATABASE %I TO shop_owner, shop_app, shop_reader, shop_mover', current_database());
END $$;
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
