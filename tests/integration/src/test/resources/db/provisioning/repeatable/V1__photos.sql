CREATE SEQUENCE photo_id_seq MINVALUE 0;
CREATE TABLE photo (id bigint PRIMARY KEY DEFAULT next_id('photo_id_seq'), caption text);
