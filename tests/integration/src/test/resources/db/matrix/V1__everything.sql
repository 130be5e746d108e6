CREATE SEQUENCE person_id_seq MINVALUE 0;
CREATE TABLE person (
  id bigint PRIMARY KEY DEFAULT next_id('person_id_seq'),
  version int NOT NULL DEFAULT 0,
  name text NOT NULL
);

CREATE SEQUENCE pet_id_seq MINVALUE 0;
CREATE TABLE pet (
  id bigint PRIMARY KEY DEFAULT next_id('pet_id_seq'),
  owner_id bigint NOT NULL REFERENCES person,
  name text NOT NULL
);

CREATE SEQUENCE traveller_id_seq MINVALUE 0;
CREATE TABLE traveller (
  id bigint PRIMARY KEY DEFAULT next_id('traveller_id_seq'),
  description text NOT NULL
);

CREATE SEQUENCE passport_id_seq MINVALUE 0;
CREATE TABLE passport (
  id bigint PRIMARY KEY DEFAULT next_id('passport_id_seq'),
  holder_id bigint NOT NULL UNIQUE REFERENCES traveller,
  number text NOT NULL
);

CREATE SEQUENCE note_id_seq MINVALUE 0;
CREATE TABLE note (
  id bigint PRIMARY KEY DEFAULT next_id('note_id_seq'),
  writer bigint NOT NULL REFERENCES person,
  person_id bigint REFERENCES person,
  words text NOT NULL
);

CREATE SEQUENCE stamp_id_seq MINVALUE 0;
CREATE TABLE stamp (
  id bigint PRIMARY KEY DEFAULT next_id('stamp_id_seq'),
  writer bigint NOT NULL REFERENCES person
);

CREATE TABLE nickname (
  person_id bigint NOT NULL REFERENCES person,
  nickname text NOT NULL,
  PRIMARY KEY (person_id, nickname)
);

CREATE TABLE address (
  person_id bigint NOT NULL REFERENCES person,
  place int NOT NULL,
  address text NOT NULL,
  PRIMARY KEY (person_id, place)
);

CREATE TABLE phone (
  person_id bigint NOT NULL REFERENCES person,
  kind text NOT NULL,
  number text NOT NULL,
  PRIMARY KEY (person_id, kind)
);

CREATE TABLE friendship (
  person_id bigint NOT NULL REFERENCES person,
  friend_id bigint NOT NULL REFERENCES person,
  PRIMARY KEY (person_id, friend_id)
);

CREATE SEQUENCE memo_id_seq MINVALUE 0;
CREATE TABLE memo (
  id bigint PRIMARY KEY DEFAULT next_id('memo_id_seq'),
  description text NOT NULL
);

CREATE SEQUENCE vehicle_id_seq MINVALUE 0;
CREATE TABLE vehicle (
  id bigint PRIMARY KEY DEFAULT next_id('vehicle_id_seq'),
  dtype text NOT NULL,
  description text NOT NULL,
  doors int
);

CREATE SEQUENCE payment_id_seq MINVALUE 0;
CREATE TABLE payment (
  id bigint PRIMARY KEY DEFAULT next_id('payment_id_seq'),
  description text NOT NULL
);
CREATE TABLE card_payment (
  id bigint PRIMARY KEY REFERENCES payment,
  card text NOT NULL
);

CREATE SEQUENCE shape_id_seq MINVALUE 0;
CREATE TABLE shape (
  id bigint PRIMARY KEY DEFAULT next_id('shape_id_seq'),
  description text NOT NULL
);
CREATE TABLE circle (
  id bigint PRIMARY KEY DEFAULT next_id('shape_id_seq'),
  description text NOT NULL,
  radius int NOT NULL
);

CREATE SEQUENCE badge_id_seq MINVALUE 0;
CREATE TABLE badge (
  id bigint PRIMARY KEY DEFAULT next_id('badge_id_seq'),
  description text NOT NULL
);
CREATE TABLE badge_colour (
  badge_id bigint NOT NULL REFERENCES badge,
  colour text NOT NULL,
  PRIMARY KEY (badge_id, colour)
);

CREATE TABLE profile (
  id bigint PRIMARY KEY REFERENCES person,
  motto text NOT NULL
);

CREATE FUNCTION rewritten(bigint) RETURNS text LANGUAGE plpgsql SET search_path FROM CURRENT AS $$ BEGIN
  UPDATE memo SET description = 'rewritten' WHERE id = $1;
  RETURN 'rewritten';
END $$;
