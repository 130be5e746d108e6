CREATE SEQUENCE album_id_seq MINVALUE 0;
CREATE TABLE album (
  id bigint PRIMARY KEY DEFAULT next_id('album_id_seq'),
  title text NOT NULL
);
CREATE TABLE album_tags (
  album_id bigint NOT NULL REFERENCES album (id),
  tags varchar(255) NOT NULL,
  PRIMARY KEY (album_id, tags)
);
CREATE SEQUENCE picture_id_seq MINVALUE 0;
CREATE TABLE picture (
  id bigint PRIMARY KEY DEFAULT next_id('picture_id_seq'),
  album_id bigint NOT NULL REFERENCES album (id),
  caption text NOT NULL
);
