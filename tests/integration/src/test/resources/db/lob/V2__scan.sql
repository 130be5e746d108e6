CREATE SEQUENCE scan_id_seq MINVALUE 0;
CREATE TABLE scan (
  id bigint PRIMARY KEY DEFAULT next_id('scan_id_seq'),
  user_id bigint NOT NULL,
  image oid,
  words oid
);
