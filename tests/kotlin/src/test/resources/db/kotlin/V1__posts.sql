CREATE SEQUENCE author_id_seq MINVALUE 0;
CREATE TABLE author (
  id   bigint PRIMARY KEY DEFAULT next_id('author_id_seq'),
  name text NOT NULL
);

CREATE SEQUENCE post_id_seq MINVALUE 0;
CREATE TABLE post (
  id           bigint PRIMARY KEY DEFAULT next_id('post_id_seq'),
  author_id    bigint NOT NULL REFERENCES author,
  title        text NOT NULL,
  country_code text
);

CREATE SEQUENCE note_id_seq MINVALUE 0;
CREATE TABLE note (
  id        bigint PRIMARY KEY DEFAULT next_id('note_id_seq'),
  author_id bigint NOT NULL,
  text      text NOT NULL
);

CREATE SEQUENCE badge_id_seq MINVALUE 0;
CREATE TABLE badge (
  id      bigint PRIMARY KEY DEFAULT next_id('badge_id_seq'),
  post_id bigint NOT NULL REFERENCES post,
  color   text NOT NULL
);
