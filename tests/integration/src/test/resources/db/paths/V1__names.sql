CREATE SEQUENCE item_id_seq MINVALUE 0;
CREATE TABLE item (id bigint PRIMARY KEY DEFAULT next_id('item_id_seq'), name text);
CREATE TABLE photo (id bigint PRIMARY KEY, caption text);
CREATE TABLE comment (id bigint PRIMARY KEY, photo_id bigint, text text);
CREATE TABLE stats (comments bigint NOT NULL);
CREATE TABLE tag (id bigint PRIMARY KEY);
CREATE TABLE account (
  id bigint PRIMARY KEY,
  email citext NOT NULL UNIQUE,
  domain text GENERATED ALWAYS AS (split_part(email::text, '@', 2)) STORED
);
CREATE INDEX account_email_trgm ON account USING gin ((email::text) gin_trgm_ops);
INSERT INTO stats VALUES (0);

CREATE FUNCTION count_comment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE stats SET comments = comments + 1;
  RETURN NEW;
END $$;
CREATE TRIGGER count_comment AFTER INSERT ON comment FOR EACH ROW EXECUTE FUNCTION count_comment();
CREATE TRIGGER log_path AFTER INSERT ON comment FOR EACH ROW EXECUTE FUNCTION log_path();

CREATE FUNCTION comments() RETURNS bigint LANGUAGE sql STABLE AS 'SELECT comments FROM stats';
CREATE FUNCTION wander(path text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN set_config('search_path', path, false);
END $$;
CREATE FUNCTION atomic_comments() RETURNS bigint LANGUAGE sql STABLE BEGIN ATOMIC SELECT comments FROM stats; END;
CREATE PROCEDURE add_comment(id bigint) LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO comment VALUES (id, 1, 'by a procedure');
  COMMIT;
END $$;
CREATE VIEW commented AS SELECT p.id, p.caption, comments() AS comments FROM photo p;
