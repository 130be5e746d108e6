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
