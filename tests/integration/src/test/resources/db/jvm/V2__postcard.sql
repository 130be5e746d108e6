CREATE SEQUENCE postcard_id_seq MINVALUE 0;
CREATE TABLE postcard (
  id bigint PRIMARY KEY DEFAULT next_id('postcard_id_seq'),
  user_id bigint NOT NULL
);
