CREATE SEQUENCE book_id_seq MINVALUE 0;
CREATE TABLE book (
  id       bigint PRIMARY KEY DEFAULT next_id('book_id_seq'),
  version  integer NOT NULL,
  title    text NOT NULL,
  language text NOT NULL,
  details  jsonb NOT NULL
);

CREATE SEQUENCE review_id_seq MINVALUE 0;
CREATE TABLE review (
  id       bigint PRIMARY KEY DEFAULT next_id('review_id_seq'),
  book_id  bigint NOT NULL REFERENCES book,
  language text NOT NULL
);
