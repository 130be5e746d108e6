CREATE SEQUENCE purchase_id_seq MINVALUE 0;
CREATE TABLE purchase (
  id      bigint PRIMARY KEY DEFAULT next_id('purchase_id_seq'),
  article text NOT NULL
);
