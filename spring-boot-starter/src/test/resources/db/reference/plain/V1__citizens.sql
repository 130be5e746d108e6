CREATE SEQUENCE citizen_id_seq MINVALUE 0;
CREATE TABLE citizen (id bigint PRIMARY KEY DEFAULT next_id('citizen_id_seq'), country_id bigint);
