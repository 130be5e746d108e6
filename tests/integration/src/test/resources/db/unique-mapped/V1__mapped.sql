CREATE SEQUENCE softly_id_seq MINVALUE 0;
CREATE TABLE softly (
  id bigint PRIMARY KEY DEFAULT next_id('softly_id_seq'),
  name text,
  deleted boolean NOT NULL
);

CREATE SEQUENCE marked_id_seq MINVALUE 0;
CREATE TABLE marked (
  id bigint PRIMARY KEY DEFAULT next_id('marked_id_seq'),
  name text,
  gone boolean NOT NULL
);

CREATE SEQUENCE party_id_seq MINVALUE 0;
CREATE TABLE party (
  id bigint PRIMARY KEY DEFAULT next_id('party_id_seq'),
  version int NOT NULL,
  login text
);

CREATE TABLE company (
  id bigint PRIMARY KEY REFERENCES party,
  tax_number bigint
);

CREATE TABLE profile (
  party_id bigint PRIMARY KEY REFERENCES party,
  token uuid
);

CREATE SEQUENCE secret_id_seq MINVALUE 0;
CREATE TABLE secret (
  id bigint PRIMARY KEY DEFAULT next_id('secret_id_seq'),
  code text
);

CREATE SEQUENCE marking_id_seq MINVALUE 0;
CREATE TABLE marking (
  id bigint PRIMARY KEY DEFAULT next_id('marking_id_seq'),
  name text
);

-- Columns of other types than their mappings say.
CREATE COLLATION ignoring_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE DOMAIN price AS numeric(12, 2);
CREATE SEQUENCE inexact_id_seq MINVALUE 0;
CREATE TABLE inexact (
  id bigint PRIMARY KEY DEFAULT next_id('inexact_id_seq'),
  token bytea,
  price price,
  name text COLLATE ignoring_case,
  state text DEFAULT 'new'
);
