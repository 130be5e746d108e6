CREATE SEQUENCE author_id_seq MINVALUE 0;
CREATE TABLE author (
  id bigint PRIMARY KEY DEFAULT next_id('author_id_seq'),
  version int NOT NULL DEFAULT 0,
  name text NOT NULL
);

CREATE SEQUENCE picture_id_seq MINVALUE 0;
CREATE TABLE picture (
  id bigint PRIMARY KEY DEFAULT next_id('picture_id_seq'),
  author_id bigint NOT NULL REFERENCES author,
  caption text
);

CREATE TABLE picture_tags (
  picture_id bigint NOT NULL REFERENCES picture,
  tag text NOT NULL,
  PRIMARY KEY (picture_id, tag)
);

CREATE SEQUENCE remark_id_seq MINVALUE 0;
CREATE TABLE remark (
  id bigint PRIMARY KEY DEFAULT next_id('remark_id_seq'),
  picture_id bigint NOT NULL,
  words text NOT NULL
);

CREATE SEQUENCE account_id_seq MINVALUE 0;
CREATE TABLE account (
  id bigint PRIMARY KEY DEFAULT next_id('account_id_seq'),
  user_id bigint NOT NULL
);

CREATE SEQUENCE handle_id_seq MINVALUE 0;
CREATE TABLE handle (
  id bigint PRIMARY KEY DEFAULT next_id('handle_id_seq'),
  name text NOT NULL
);

CREATE SEQUENCE album_id_seq MINVALUE 0;
CREATE TABLE album (
  id bigint PRIMARY KEY DEFAULT next_id('album_id_seq'),
  user_id bigint NOT NULL,
  cover_id bigint
);

CREATE SEQUENCE leaf_id_seq MINVALUE 0;
CREATE TABLE leaf (
  id bigint PRIMARY KEY DEFAULT next_id('leaf_id_seq'),
  album_id bigint REFERENCES album,
  text text NOT NULL
);

CREATE TABLE pin (
  leaf_id bigint REFERENCES leaf,
  number int,
  PRIMARY KEY (leaf_id, number)
);

CREATE SEQUENCE sticker_id_seq MINVALUE 0;
CREATE TABLE sticker (
  id bigint PRIMARY KEY DEFAULT next_id('sticker_id_seq'),
  leaf_id bigint REFERENCES leaf,
  motif text NOT NULL
);
