CREATE SEQUENCE note_id_seq MINVALUE 0;
CREATE TABLE note (
  id bigint PRIMARY KEY DEFAULT next_id('note_id_seq'),
  words text NOT NULL
);
