-- No key on purpose: a repeated id shall be stored and found, not refused.
CREATE SEQUENCE photo_id_seq MINVALUE 0;
CREATE TABLE photo (id bigint NOT NULL DEFAULT next_id('photo_id_seq'), writer int NOT NULL,
                    made timestamptz NOT NULL DEFAULT clock_timestamp());
CREATE SEQUENCE remark_id_seq MINVALUE 0;
CREATE TABLE remark (id bigint NOT NULL DEFAULT next_id('remark_id_seq'), writer int NOT NULL,
                     made timestamptz NOT NULL DEFAULT clock_timestamp());
CREATE SEQUENCE published_id_seq;
CREATE TABLE published (id bigint NOT NULL, writer int NOT NULL);
