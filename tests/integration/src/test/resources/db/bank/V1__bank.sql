CREATE SEQUENCE holder_id_seq MINVALUE 0;
CREATE TABLE holder (
  id bigint PRIMARY KEY DEFAULT next_id('holder_id_seq'),
  version int NOT NULL DEFAULT 0,
  changes int NOT NULL,
  number bigint NOT NULL
);

CREATE SEQUENCE booking_id_seq MINVALUE 0;
CREATE TABLE booking (
  id bigint PRIMARY KEY DEFAULT next_id('booking_id_seq'),
  holder_id bigint NOT NULL REFERENCES holder,
  token bigint NOT NULL
);
CREATE INDEX booking_holder ON booking (holder_id);

CREATE SEQUENCE receipt_id_seq MINVALUE 0;
CREATE TABLE receipt (
  id bigint PRIMARY KEY DEFAULT next_id('receipt_id_seq'),
  holder_id bigint NOT NULL REFERENCES holder,
  token bigint NOT NULL
);

-- Written by plain sessions. No key on purpose: what comes twice shall be stored and found, not refused.
CREATE SEQUENCE slip_id_seq MINVALUE 0;
CREATE TABLE slip (id bigint NOT NULL DEFAULT next_id('slip_id_seq'), token bigint NOT NULL);
