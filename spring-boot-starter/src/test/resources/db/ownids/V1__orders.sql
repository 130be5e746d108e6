CREATE SEQUENCE customer_id_seq MINVALUE 0;
CREATE TABLE customer (id bigint PRIMARY KEY DEFAULT next_id('customer_id_seq'), name text NOT NULL);
CREATE TABLE orders (id uuid PRIMARY KEY, customer_id bigint NOT NULL REFERENCES customer, words text NOT NULL);
CREATE TABLE coupon (code text PRIMARY KEY, customer_id bigint NOT NULL REFERENCES customer, words text NOT NULL);
