CREATE SEQUENCE app_user_id_seq MINVALUE 0;
CREATE TABLE app_user (
  id bigint PRIMARY KEY DEFAULT next_id('app_user_id_seq'),
  name text NOT NULL
);

CREATE SEQUENCE photo_id_seq MINVALUE 0;
CREATE TABLE photo (
  id bigint PRIMARY KEY DEFAULT next_id('photo_id_seq'),
  author_id bigint NOT NULL REFERENCES app_user,
  caption text
);

CREATE SEQUENCE photo_comment_id_seq MINVALUE 0;
CREATE TABLE photo_comment (
  id bigint PRIMARY KEY DEFAULT next_id('photo_comment_id_seq'),
  photo_id bigint NOT NULL REFERENCES photo,
  words text NOT NULL
);

CREATE SEQUENCE photo_like_id_seq MINVALUE 0;
CREATE TABLE photo_like (
  id bigint PRIMARY KEY DEFAULT next_id('photo_like_id_seq'),
  photo_id bigint NOT NULL REFERENCES photo,
  fan text NOT NULL
);

CREATE SEQUENCE hashtag_id_seq MINVALUE 0;
CREATE TABLE hashtag (
  id bigint PRIMARY KEY DEFAULT next_id('hashtag_id_seq'),
  name text NOT NULL
);

CREATE SEQUENCE visit_id_seq MINVALUE 0;
CREATE TABLE visit (
  id bigint PRIMARY KEY DEFAULT next_id('visit_id_seq'),
  visitor bigint NOT NULL,
  page text NOT NULL
);

CREATE TABLE rating (
  photo_id bigint NOT NULL REFERENCES photo,
  user_id bigint NOT NULL,
  stars int NOT NULL,
  PRIMARY KEY (photo_id, user_id)
);
