CREATE SEQUENCE account_id_seq MINVALUE 0;
CREATE TABLE account (
  id bigint PRIMARY KEY DEFAULT next_id('account_id_seq'),
  login text NOT NULL,
  email text NOT NULL,
  name text NOT NULL,
  password text NOT NULL
);
