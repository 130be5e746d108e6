-- Which session has which lock.
CREATE SCHEMA IF NOT EXISTS sharded_id;
CREATE TABLE IF NOT EXISTS sharded_id.session_lock (
  class int,
  purpose int,
  holder int NOT NULL,
  number int NOT NULL,
  started timestamptz NOT NULL,
  PRIMARY KEY (class, purpose))
