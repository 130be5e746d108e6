ALTER TABLE country ADD COLUMN population bigint;
