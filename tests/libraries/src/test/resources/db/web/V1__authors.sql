CREATE SEQUENCE author_id_seq MINVALUE 0;
CREATE TABLE author (
  id bigint PRIMARY KEY DEFAULT next_id('author_id_seq'),
  version integer NOT NULL,
  name text NOT NULL,
  country_code text
);

CREATE SEQUENCE article_id_seq MINVALUE 0;
CREATE TABLE article (
  id bigint PRIMARY KEY DEFAULT next_id('article_id_seq'),
  title text NOT NULL,
  author_id bigint REFERENCES author
);
CREATE INDEX ON article (author_id);

CREATE SEQUENCE ticket_id_seq MINVALUE 0;
CREATE TABLE ticket (
  id bigint PRIMARY KEY DEFAULT next_id('ticket_id_seq'),
  subject text,
  author_id bigint REFERENCES author
);

CREATE SEQUENCE reply_id_seq MINVALUE 0;
CREATE TABLE reply (
  id bigint PRIMARY KEY DEFAULT next_id('reply_id_seq'),
  words text,
  ticket_id bigint REFERENCES ticket
);
