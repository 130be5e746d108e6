CREATE SEQUENCE member_id_seq MINVALUE 0;
CREATE TABLE member (
  id bigint PRIMARY KEY DEFAULT next_id('member_id_seq'),
  number int NOT NULL,
  version int NOT NULL,
  name text NOT NULL
);

CREATE SEQUENCE album_id_seq MINVALUE 0;
CREATE TABLE album (
  id bigint PRIMARY KEY DEFAULT next_id('album_id_seq'),
  number int NOT NULL,
  version int NOT NULL,
  owner_id bigint NOT NULL REFERENCES member,
  title text,
  rating int
);
CREATE TABLE album_tags (album_id bigint NOT NULL REFERENCES album, tag text NOT NULL, PRIMARY KEY (album_id, tag));
CREATE TABLE album_lines (album_id bigint NOT NULL REFERENCES album, place int NOT NULL, line text NOT NULL, PRIMARY KEY (album_id, place));
CREATE TABLE album_fans (album_id bigint NOT NULL REFERENCES album, member_id bigint NOT NULL REFERENCES member, PRIMARY KEY (album_id, member_id));

CREATE SEQUENCE shot_id_seq MINVALUE 0;
CREATE TABLE shot (
  id bigint PRIMARY KEY DEFAULT next_id('shot_id_seq'),
  number int NOT NULL,
  album_id bigint NOT NULL REFERENCES album,
  caption text
);
CREATE TABLE clip (id bigint PRIMARY KEY REFERENCES shot, seconds int NOT NULL);

CREATE SEQUENCE mark_id_seq MINVALUE 0;
CREATE TABLE mark (
  id bigint PRIMARY KEY DEFAULT next_id('mark_id_seq'),
  number int NOT NULL,
  album_id bigint NOT NULL REFERENCES album,
  words text
);

-- What migrations have besides tables. All names mean the schema of the shard, whoever calls.
CREATE TABLE activity (album_id bigint PRIMARY KEY, written int NOT NULL, removed int NOT NULL);
CREATE FUNCTION count_marks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO activity AS a VALUES (coalesce(NEW.album_id, OLD.album_id), (TG_OP <> 'DELETE')::int, (TG_OP = 'DELETE')::int)
    ON CONFLICT (album_id) DO UPDATE SET written = a.written + excluded.written, removed = a.removed + excluded.removed;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER count_marks AFTER INSERT OR UPDATE OR DELETE ON mark DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION count_marks();

ALTER TABLE album ADD COLUMN shout text GENERATED ALWAYS AS (upper(title) || '!') STORED;
CREATE VIEW marked AS SELECT a.id, a.title, c.written FROM album a JOIN activity c ON c.album_id = a.id;

CREATE TABLE hidden (rest int PRIMARY KEY);
INSERT INTO hidden VALUES (3);
-- A row whose id the column's default makes must be visible to the INSERT that returns it, from 1,000 on.
CREATE FUNCTION is_visible(number int) RETURNS boolean STABLE LANGUAGE plpgsql AS $$
BEGIN
  RETURN number >= 1000 OR number % 7 NOT IN (SELECT rest FROM hidden);
END $$;
ALTER TABLE mark ENABLE ROW LEVEL SECURITY;
ALTER TABLE mark FORCE ROW LEVEL SECURITY;
CREATE POLICY written ON mark USING (true);
CREATE POLICY seen ON mark AS RESTRICTIVE FOR SELECT USING (is_visible(number));
