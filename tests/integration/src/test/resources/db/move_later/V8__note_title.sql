ALTER TABLE note ADD COLUMN title text;
