CREATE INDEX CONCURRENTLY photo_caption ON photo (caption);
