CREATE SEQUENCE visit_id_seq MINVALUE 0;
CREATE TABLE visit (id bigint PRIMARY KEY DEFAULT next_id('visit_id_seq'), visitor bigint NOT NULL, page text NOT NULL UNIQUE);
