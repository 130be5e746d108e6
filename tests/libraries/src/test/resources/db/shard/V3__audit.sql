CREATE SEQUENCE revision_id_seq MINVALUE 0;
CREATE TABLE revision (
  id bigint PRIMARY KEY DEFAULT next_id('revision_id_seq'),
  recorded_at bigint NOT NULL
);
CREATE TABLE album_aud (
  id bigint NOT NULL,
  rev bigint NOT NULL REFERENCES revision (id),
  revtype smallint,
  title text,
  PRIMARY KEY (rev, id)
);
CREATE TABLE album_tags_aud (
  rev bigint NOT NULL REFERENCES revision (id),
  album_id bigint NOT NULL,
  tags varchar(255) NOT NULL,
  revtype smallint,
  PRIMARY KEY (rev, album_id, tags)
);
CREATE TABLE picture_aud (
  id bigint NOT NULL,
  rev bigint NOT NULL REFERENCES revision (id),
  revtype smallint,
  album_id bigint,
  caption text,
  caption_mod boolean,
  PRIMARY KEY (rev, id)
);
