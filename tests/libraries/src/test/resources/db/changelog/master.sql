--liquibase formatted sql
--changeset shop:1
CREATE TABLE shedlock (
  name varchar(64) PRIMARY KEY,
  lock_until timestamp NOT NULL,
  locked_at timestamp NOT NULL,
  locked_by varchar(255) NOT NULL
);
