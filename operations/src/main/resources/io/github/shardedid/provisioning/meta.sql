-- What each database knows of the cluster, and which shards it owns. Written by the provisioner only.
CREATE SCHEMA IF NOT EXISTS sharded_id;

CREATE TABLE IF NOT EXISTS sharded_id.cluster (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  cluster_id uuid NOT NULL,
  database_name text NOT NULL,        -- the name under which this database was provisioned
  epoch_ms bigint NOT NULL,           -- what timestamp 0 of an id stands for, in milliseconds since 1970
  unit text NOT NULL CHECK (unit IN ('MILLISECONDS', 'SECONDS')),
  timestamp_bits int NOT NULL,        -- the sign bit included
  shard_bits int NOT NULL,
  sequence_bits int NOT NULL,
  jvm_nodes int NOT NULL,             -- 0: the whole sequence is the database's
  shard_count int NOT NULL CHECK (shard_count > 0),  -- can be raised, never lowered
  key_shards int NOT NULL CHECK (key_shards > 0),    -- how many there were first: keys are distributed over these for ever
  open_shards int NOT NULL CHECK (open_shards > 0),  -- those that new rows are placed in until all instances know the others
  grown timestamptz,                  -- since when all databases have this shard_count; null if they may not have it yet
  schema_version int NOT NULL,        -- of these tables and of the functions beside them
  provisioned boolean NOT NULL        -- true once every database of the cluster has stored its first ownership
);

CREATE TABLE IF NOT EXISTS sharded_id.shard (
  shard int PRIMARY KEY CHECK (shard >= 0),
  generation bigint NOT NULL DEFAULT 1 CHECK (generation > 0),  -- how often the shard has changed its home, from 1
  state text NOT NULL CHECK (state IN ('CREATING', 'ACTIVE', 'MOVING', 'FENCING', 'FENCED', 'MOVED', 'RECEIVING')),
  migrations text                     -- fingerprint of the application's migrations that the schema is at
);

-- Everybody may ask of which shard an id is. Who may make ids is granted what that needs; see SECURITY.md.
GRANT USAGE ON SCHEMA sharded_id TO PUBLIC;

-- What makes the numbers of the generator's locks a secret of those who may read it. It must never change: two who do not lock the
-- same number make the same id. So its upper bound is where it stands: nextval fails.
CREATE SEQUENCE IF NOT EXISTS sharded_id.lock_secret;

SELECT pg_catalog.setval('sharded_id.lock_secret', (('x' || pg_catalog.substr(pg_catalog.encode(pg_catalog.sha256(
    pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) || pg_catalog.uuid_send(pg_catalog.gen_random_uuid())), 'hex'), 1, 16))
    ::bit(64) >> 1)::bigint)
WHERE pg_catalog.pg_sequence_last_value('sharded_id.lock_secret') IS NULL;

DO $$ DECLARE secret bigint := pg_catalog.pg_sequence_last_value('sharded_id.lock_secret');
BEGIN
  IF EXISTS (SELECT FROM pg_catalog.pg_sequence WHERE seqrelid = 'sharded_id.lock_secret'::regclass AND seqmax <> secret) THEN
    EXECUTE format('ALTER SEQUENCE sharded_id.lock_secret MINVALUE %s MAXVALUE %s START %s', secret - 1, secret, secret);
  END IF;
END $$;

-- Which session has which advisory lock: whoever else has one holds nobody up.
CREATE TABLE IF NOT EXISTS sharded_id.session_lock (
  class int,
  purpose int,
  holder int NOT NULL,
  number int NOT NULL,
  started timestamptz NOT NULL,
  PRIMARY KEY (class, purpose)
);

-- Whom provisioning grants what they need, in this schema and in those of shards that are made here.
CREATE TABLE IF NOT EXISTS sharded_id.role (
  purpose text PRIMARY KEY CHECK (purpose IN ('application', 'reader', 'mover')),
  name name NOT NULL
);

-- The journal of the moves of shards away from this database. Each step is written before it is taken.
CREATE TABLE IF NOT EXISTS sharded_id.move (
  id uuid PRIMARY KEY,
  shard int NOT NULL,
  source text NOT NULL,
  target text NOT NULL,
  generation bigint NOT NULL,         -- of the shard here
  offline boolean NOT NULL,
  step text NOT NULL,
  started timestamptz NOT NULL DEFAULT clock_timestamp(),
  changed timestamptz NOT NULL DEFAULT clock_timestamp(),
  pause_ms bigint,                    -- how long nobody could write to the shard
  failure text,                       -- why it stopped, or what was left undone
  subscriber text,                    -- what names the slots by which the target copies tables
  identities text[],                  -- pairs: a table here, and the replica identity that it gets back
  unfence text[],                     -- statements that take the fence down again
  sequences text[]                    -- name, last value and whether it was used, of each sequence as the fence met it
);

CREATE UNIQUE INDEX IF NOT EXISTS one_move_of_a_shard ON sharded_id.move (shard) WHERE step NOT IN ('DONE', 'ABORTED');

-- Plans of moves for the whole cluster: goals, from which follows what is to be moved next. The instance that runs one holds its lock, and
-- another one goes on with it.
CREATE TABLE IF NOT EXISTS sharded_id.standing_order (
  number int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('DRAIN', 'REBALANCE', 'MOVE')),
  subject text NOT NULL,              -- the database that is emptied, or the shards
  target text,                        -- the database to which shards are moved
  offline boolean NOT NULL,
  total int NOT NULL,                 -- how many moves there were to make when it began
  done int NOT NULL DEFAULT 0,        -- how many of them are no longer to be made
  state text NOT NULL DEFAULT 'RUNNING' CHECK (state IN ('RUNNING', 'DONE', 'STOPPED', 'FAILED')),
  started timestamptz NOT NULL DEFAULT clock_timestamp(),
  changed timestamptz NOT NULL DEFAULT clock_timestamp(),
  failure text                        -- why it has failed
);

-- Two that balance databases would undo each other's moves.
CREATE UNIQUE INDEX IF NOT EXISTS one_balancing_order ON sharded_id.standing_order (state) WHERE state = 'RUNNING' AND kind <> 'MOVE';

-- Runs that make or migrate schemas here and have not ended: which scripts they run. The instance at work holds
-- the lock of the database.
CREATE TABLE IF NOT EXISTS sharded_id.run (
  kind text CHECK (kind IN ('SHARDS', 'GLOBAL')),
  fingerprint text,                   -- of all scripts; empty if there are none
  versioned text[] NOT NULL,          -- the versioned scripts
  started timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (kind, fingerprint)
);
