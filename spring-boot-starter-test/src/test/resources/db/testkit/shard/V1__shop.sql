CREATE SEQUENCE customer_id_seq MINVALUE 0;
CREATE TABLE customer (
  id bigint PRIMARY KEY DEFAULT next_id('customer_id_seq'),
  name text NOT NULL
);

CREATE SEQUENCE purchase_id_seq MINVALUE 0;
CREATE TABLE purchase (
  id bigint PRIMARY KEY DEFAULT next_id('purchase_id_seq'),
  customer_id bigint NOT NULL REFERENCES customer,
  country text NOT NULL
);

CREATE SEQUENCE "Receipt Id" MINVALUE 0;
CREATE TABLE "Receipt" (
  "Number" bigint PRIMARY KEY DEFAULT next_id('"Receipt Id"'),
  customer_id bigint NOT NULL
);
ALTER SEQUENCE "Receipt Id" OWNED BY "Receipt"."Number";
