CREATE SEQUENCE person_id_seq MINVALUE 0;
CREATE TABLE person (
  id bigint PRIMARY KEY DEFAULT next_id('person_id_seq'),
  login text NOT NULL,
  email text,
  badge int,
  name text NOT NULL,
  active boolean NOT NULL
);

CREATE SEQUENCE essay_id_seq MINVALUE 0;
CREATE TABLE essay (
  id bigint PRIMARY KEY DEFAULT next_id('essay_id_seq'),
  author_id bigint NOT NULL REFERENCES person,
  site text NOT NULL,
  slug text NOT NULL
);
