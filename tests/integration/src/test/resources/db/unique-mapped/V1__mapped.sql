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
