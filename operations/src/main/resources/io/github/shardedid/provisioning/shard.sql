-- The schema of one logical shard. Its wrappers know the shard, so that the tables' DDL is the same in every shard:
-- CREATE SEQUENCE photo_id_seq MINVALUE 0;
-- CREATE TABLE photo (id bigint PRIMARY KEY DEFAULT next_id('photo_id_seq'), ...);
-- No SET clause, no STRICT, volatile as what they call: otherwise PostgreSQL would not inline next_id.
CREATE SCHEMA ${schema};

CREATE FUNCTION ${schema}.next_id(sequence regclass) RETURNS bigint
LANGUAGE sql VOLATILE PARALLEL UNSAFE AS $body$
  SELECT sharded_id.next_id($1, ${shard})
$body$;

CREATE FUNCTION ${schema}.next_ids(sequence regclass, n int) RETURNS SETOF bigint
LANGUAGE sql VOLATILE PARALLEL UNSAFE ROWS 1000 AS $body$
  SELECT i FROM sharded_id.next_ids($1, ${shard}, $2) i
$body$;

CREATE FUNCTION ${schema}.next_ids_after(sequence regclass, n int, floor bigint) RETURNS SETOF bigint
LANGUAGE sql VOLATILE PARALLEL UNSAFE ROWS 1000 AS $body$
  SELECT i FROM sharded_id.next_ids_after($1, ${shard}, $2, $3) i
$body$;

-- The leases of JVM nodes move with the shard. Row -1, made when the shard is first given to a database, stands for
-- leases that all have to wait for; without it, no lease is granted until the longest lease has passed.
CREATE TABLE ${schema}.sharded_id_lease (
  node smallint PRIMARY KEY,
  jvm_nodes int NOT NULL,             -- among how many the sequence's upper half was divided when it was granted
  holder uuid,                        -- a JVM's source of ids; null: given back
  window_start bigint NOT NULL,       -- timestamps in the layout's unit
  window_end bigint NOT NULL,         -- the first one after the window
  server text                         -- of row -1: who grants leases, see sharded_id.lease_stamp()
);

-- Claims of values that are unique over all shards, in the shard of a value's hash. They move with the shard. See claims.sql.
CREATE TABLE ${schema}.sharded_id_claim (
  attribute text COLLATE "C",         -- what is unique: a table and its columns
  value text COLLATE "C",             -- as the application has normalised it
  id bigint NOT NULL,                 -- the row that may have the value
  prior bigint[] NOT NULL DEFAULT '{}', -- other rows that have it if the transaction, or a part of it, was rolled back
  transaction text NOT NULL,          -- that wrote the row: its id, by the server which had the row's shard, and when it began
  database text NOT NULL,             -- where this was
  generation bigint NOT NULL,         -- of the row's shard there
  changed timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
  PRIMARY KEY (attribute, value)
);

CREATE FUNCTION ${schema}.lease_node(claimant uuid, wanted int, division int, steps bigint,
  OUT refused text, OUT node int, OUT window_start bigint, OUT window_end bigint, OUT present bigint)
LANGUAGE sql VOLATILE AS $body$
  SELECT l.refused, l.node, l.window_start, l.window_end, l.present
  FROM sharded_id.lease_node('${schema}', $1, $2, $3, $4) l
$body$;

CREATE FUNCTION ${schema}.release_node(claimant uuid, stamp bigint) RETURNS int
LANGUAGE sql VOLATILE AS $body$
  SELECT sharded_id.release_node('${schema}', $1, $2)
$body$;
