CREATE UNIQUE INDEX CONCURRENTLY photo_caption ON photo (caption);
