--liquibase formatted sql

--changeset kim:likes logicalFilePath:db/liquibase/likes.sql
ALTER TABLE photo ADD COLUMN likes bigint NOT NULL DEFAULT 0;
CREATE INDEX photo_likes ON photo (likes);
