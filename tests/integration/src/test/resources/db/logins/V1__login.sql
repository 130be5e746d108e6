CREATE SEQUENCE login_id_seq MINVALUE 0;
CREATE TABLE login (
  id bigint PRIMARY KEY DEFAULT next_id('login_id_seq'),
  version int NOT NULL,
  name text,
  changes int NOT NULL
);

-- When a row got a name, and when it lost it: written when the transaction commits, and only then.
CREATE TABLE login_history (
  event uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  at timestamptz NOT NULL,
  transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
  begun timestamptz NOT NULL DEFAULT transaction_timestamp(),
  login bigint NOT NULL,
  lost text,
  got text
);

CREATE FUNCTION note_login() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('INSERT INTO %I.login_history (at, login, lost, got) VALUES (clock_timestamp(), $1, lower($2), lower($3))', TG_TABLE_SCHEMA)
    USING coalesce(NEW.id, OLD.id), OLD.name, NEW.name;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER note_login AFTER INSERT OR UPDATE OR DELETE ON login
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_login();
