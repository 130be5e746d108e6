CREATE SEQUENCE likes_id_seq MINVALUE 0;
CREATE TABLE likes (
  id bigint PRIMARY KEY DEFAULT next_id('likes_id_seq'),
  photo_id bigint NOT NULL REFERENCES photo,
  author_id bigint NOT NULL,
  UNIQUE (photo_id, author_id)
);

CREATE SEQUENCE tag_id_seq MINVALUE 0;
CREATE TABLE tag (
  id bigint PRIMARY KEY DEFAULT next_id('tag_id_seq'),
  photo_id bigint NOT NULL REFERENCES photo,
  label varchar(100) NOT NULL
);
CREATE INDEX tag_photo ON tag (photo_id);
CREATE INDEX tag_label ON tag (label, id);
