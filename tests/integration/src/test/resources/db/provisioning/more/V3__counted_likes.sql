ALTER TABLE photo ADD COLUMN likes int NOT NULL DEFAULT 0;
CREATE INDEX photo_likes ON photo (likes);
