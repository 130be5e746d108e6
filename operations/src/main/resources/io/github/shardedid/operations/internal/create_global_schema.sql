-- Creates the schema of the global entities, and stores its name.
CREATE TABLE IF NOT EXISTS sharded_id.global_schema (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row), schema_name text NOT NULL, migrations text);
CREATE SCHEMA IF NOT EXISTS %1$s;
INSERT INTO sharded_id.global_schema (schema_name) VALUES ('%1$s')
