CREATE SEQUENCE customer_id_seq MINVALUE 0;
CREATE TABLE customer (
  id bigint PRIMARY KEY DEFAULT next_id('customer_id_seq'),
  email text NOT NULL
);
