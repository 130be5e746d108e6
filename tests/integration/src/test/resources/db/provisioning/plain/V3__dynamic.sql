DO $$ BEGIN EXECUTE 'CREATE FUNC' || 'TION entries() RETURNS bigint LANGUAGE sql AS ''SELECT count(*) FROM entry'''; END $$;
