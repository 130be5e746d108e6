CREATE SEQUENCE by_number_id_seq MINVALUE 0;
CREATE TABLE by_number (id bigint PRIMARY KEY DEFAULT next_id('by_number_id_seq'), note text, tenant bigint);

CREATE SEQUENCE by_small_id_seq MINVALUE 0;
CREATE TABLE by_small (id bigint PRIMARY KEY DEFAULT next_id('by_small_id_seq'), note text, tenant smallint);

CREATE SEQUENCE by_text_id_seq MINVALUE 0;
CREATE TABLE by_text (id bigint PRIMARY KEY DEFAULT next_id('by_text_id_seq'), note text, tenant text);

CREATE SEQUENCE by_reference_id_seq MINVALUE 0;
CREATE TABLE by_reference (id bigint PRIMARY KEY DEFAULT next_id('by_reference_id_seq'), note text, tenant bigint);

CREATE SEQUENCE by_place_id_seq MINVALUE 0;
CREATE TABLE by_place (id bigint PRIMARY KEY DEFAULT next_id('by_place_id_seq'), note text, street text, district text);

CREATE SEQUENCE paper_id_seq MINVALUE 0;
CREATE TABLE paper (id bigint PRIMARY KEY DEFAULT next_id('paper_id_seq'), note text, tenant uuid);
CREATE TABLE contract (id bigint PRIMARY KEY REFERENCES paper, partner text);

CREATE SEQUENCE delivery_id_seq MINVALUE 0;
CREATE TABLE delivery (id bigint PRIMARY KEY DEFAULT next_id('delivery_id_seq'), note text, recipient_id bigint, sender_id bigint);
