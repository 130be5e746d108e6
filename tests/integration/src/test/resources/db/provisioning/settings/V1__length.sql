CREATE TABLE length (value text);
-- Until the end of a script.
CREATE FUNCTION iso() RETURNS void LANGUAGE plpgsql AS $$ BEGIN EXECUTE 'SET ' || 'LOCAL intervalstyle = iso_8601'; END $$;
