CREATE SEQUENCE author_id_seq MINVALUE 0;
CREATE TABLE author (
  id bigint PRIMARY KEY DEFAULT next_id('author_id_seq'),
  name text NOT NULL,
  created timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX author_name ON author (name);

CREATE SEQUENCE photo_id_seq MINVALUE 0;
CREATE TABLE photo (
  id bigint PRIMARY KEY DEFAULT next_id('photo_id_seq'),
  author_id bigint NOT NULL REFERENCES author,
  caption text
);
CREATE INDEX photo_author ON photo (author_id, id);

CREATE SEQUENCE comment_id_seq MINVALUE 0;
CREATE TABLE comment (
  id bigint PRIMARY KEY DEFAULT next_id('comment_id_seq'),
  photo_id bigint NOT NULL REFERENCES photo ON DELETE CASCADE,
  author_id bigint NOT NULL,
  body text NOT NULL
);
CREATE INDEX comment_photo ON comment (photo_id, id);
CREATE INDEX comment_author ON comment (author_id);
