CREATE SEQUENCE ticket_id_seq MINVALUE 0;
CREATE TABLE ticket (id bigint PRIMARY KEY DEFAULT next_id('ticket_id_seq'), tenant text NOT NULL, version integer NOT NULL, subject text NOT NULL);
CREATE TABLE label (id uuid PRIMARY KEY, tenant text NOT NULL, subject text NOT NULL);
CREATE SEQUENCE parcel_id_seq MINVALUE 0;
CREATE TABLE parcel (id bigint PRIMARY KEY DEFAULT next_id('parcel_id_seq'), customer text NOT NULL, subject text NOT NULL);
