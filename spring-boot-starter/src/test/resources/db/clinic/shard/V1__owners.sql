CREATE SEQUENCE owners_id_seq MINVALUE 0;
CREATE TABLE owners (
  id        bigint PRIMARY KEY DEFAULT next_id('owners_id_seq'),
  last_name text
);
CREATE INDEX ON owners (last_name);

CREATE SEQUENCE pets_id_seq MINVALUE 0;
CREATE TABLE pets (
  id       bigint PRIMARY KEY DEFAULT next_id('pets_id_seq'),
  name     text,
  type_id  integer NOT NULL,  -- a row of the global database, so without REFERENCES
  owner_id bigint REFERENCES owners
);
CREATE INDEX ON pets (owner_id);

CREATE SEQUENCE visits_id_seq MINVALUE 0;
CREATE TABLE visits (
  id          bigint PRIMARY KEY DEFAULT next_id('visits_id_seq'),
  pet_id      bigint REFERENCES pets,
  visit_date  date,
  description text
);
CREATE INDEX ON visits (pet_id);
