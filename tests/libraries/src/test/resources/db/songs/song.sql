--liquibase formatted sql

--changeset shop:song
CREATE SEQUENCE song_id_seq MINVALUE 0;
CREATE TABLE song (
  id    bigint PRIMARY KEY DEFAULT next_id('song_id_seq'),
  title text NOT NULL
);
