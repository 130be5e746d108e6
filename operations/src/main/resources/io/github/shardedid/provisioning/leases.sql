-- Leases of JVM nodes. A node is a JVM's share of the upper half of the sequence field; a lease gives one holder one node
-- of one shard for a window of timestamps: from window_start up to window_end, excluded. Whoever holds it makes ids with
-- timestamps of the window only. So no two holders can make the same id, whatever the clocks do, by these rules (each is
-- named in the model of the tests, which shows that an id comes twice without it):
--   WINDOW_AFTER_PREVIOUS   a window starts no earlier than the window of the node's previous holder ended
--   RENEWAL_BY_HOLDER       only the holder itself extends a window
--   RELEASE_AFTER_LAST_ID   a window given back ends after the last timestamp used, and the holder has sealed its counters
--   RELEASE_BY_HOLDER       only the holder itself gives a window back
--   AFTER_LOST_LEASES       a database that may have missed leases (a promoted standby, a restored copy, a clone, a shard's new
--                           home) grants none until the longest lease has passed since that was first seen
--   AFTER_OTHER_DIVISION    where leases of another division are left, from before a change of jvm-nodes by a version before 8, none
--                           is granted until every window of theirs has ended
--   ONE_DIVISION            whoever divides the sequence otherwise than the cluster gets none
-- Row -1 stands for the leases that the last three rules wait for: its window_end is the first timestamp after them. The
-- clock decides only when a lease may be granted and what time an id shows, never whether an id is unique; but a promoted
-- server's clock must not be behind the timestamps at which the old one granted the leases that were lost.

-- Who answers: the physical cluster, its timeline as the WAL names it (the control file lags behind a promotion), and the
-- database by its oid, which a clone (CREATE DATABASE ... TEMPLATE) does not share
CREATE OR REPLACE FUNCTION sharded_id.server() RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $body$
  SELECT (SELECT system_identifier FROM pg_control_system()) || '/' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)
         || '/' || (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database())
$body$;

-- What row -1 holds in its column server: who answers, and the transaction that writes the row. The row's xmin is that
-- transaction as long as the row is what these functions wrote here. Whatever carries rows (a dump, COPY, replication) writes them
-- by a transaction of its own; a physical copy keeps xmin, but is another database, system or timeline. Only a data directory that was
-- put back without a new timeline is not noticed: it cannot be distinguished from a restart.
-- Not to be called below a savepoint, whose rows have the xmin of a subtransaction.
CREATE OR REPLACE FUNCTION sharded_id.lease_stamp(writer xid DEFAULT pg_catalog.pg_current_xact_id()::pg_catalog.xid) RETURNS text
LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp AS $body$
  SELECT sharded_id.server() || '/' || $1
$body$;

-- The leases of a shard that this database knows, by the name of its schema. No other schema is ever touched on somebody's word: what
-- is done there is done as the owner, triggers included.
CREATE OR REPLACE FUNCTION sharded_id.lease_table(schema name) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
  known text := (SELECT 'shard_' || lpad(s.shard::text, greatest(4, length(s.shard::text)), '0') FROM sharded_id.shard s
                 WHERE s.shard = substring(schema::text FROM '^shard_([0-9]{1,9})$')::int);
BEGIN
  IF (known = schema::text) IS NOT TRUE THEN
    RAISE EXCEPTION 'This database has no shard whose schema is %', quote_nullable(schema::text)
      USING ERRCODE = 'invalid_parameter_value', HINT = 'Its shards are in the table sharded_id.shard.';
  END IF;
  RETURN known || '.sharded_id_lease';
END
$body$;

-- Grants a node to a claimant, or extends the window of the node that it has. To be called in a transaction of its own.
-- wanted: the node that the claimant would like, or NULL; division: how many nodes there are, as the claimant believes;
-- steps: how long, in the layout's unit. Either refused is NULL or it says why the other results are.
CREATE OR REPLACE FUNCTION sharded_id.lease_node(
  schema name, claimant uuid, wanted int, division int, steps bigint,
  OUT refused text, OUT node int, OUT window_start bigint, OUT window_end bigint, OUT present bigint)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
  lease text := sharded_id.lease_table(schema);
  earliest bigint;
  found_lease record;
BEGIN
  PERFORM sharded_id.check_lease_call(schema, steps);
  present := ${now};
  SELECT r.refused, r.earliest INTO refused, earliest FROM sharded_id.lease_refusal(schema, division, present) r;
  IF refused IS NOT NULL THEN
    RETURN;
  END IF;
  -- Its own node, or one that was given back or has run out; a row that a stranger has locked is passed over.
  EXECUTE format('SELECT * FROM %s WHERE node >= 0 AND jvm_nodes = $5 AND (holder = $1'
                 ' OR (holder IS NULL OR window_end <= $2) AND window_end < least($2 + $4, ${max_timestamp} + 1))'
                 ' ORDER BY holder IS NOT DISTINCT FROM $1 DESC, node = $3 DESC, window_end, node'
                 ' LIMIT 1 FOR UPDATE SKIP LOCKED', lease)
    USING claimant, present, coalesce(wanted, -1), steps, division INTO found_lease;
  IF found_lease.node IS NOT NULL THEN
    node := found_lease.node;
    window_start := CASE WHEN found_lease.holder = claimant
                         THEN greatest(found_lease.window_start, earliest)
                         ELSE greatest(found_lease.window_end, earliest, present) END;
    window_end := greatest(found_lease.window_end, least(present + steps, ${max_timestamp} + 1));
    EXECUTE format('UPDATE %s SET holder = $1, window_start = $2, window_end = $3 WHERE node = $4', lease)
      USING claimant, window_start, window_end, node;
    RETURN;
  END IF;
  -- A node that nobody ever had. Which one is left to chance, lest JVMs that start together wait for each other.
  window_start := greatest(present, earliest);
  window_end := least(present + steps, ${max_timestamp} + 1);
  EXECUTE format('INSERT INTO %1$s (node, jvm_nodes, holder, window_start, window_end)'
                 ' SELECT n, $1, $2, $3, $4 FROM generate_series(0, $1 - 1) n'
                 ' WHERE NOT EXISTS (SELECT FROM %1$s WHERE node = n) ORDER BY random() LIMIT 1'
                 ' ON CONFLICT DO NOTHING RETURNING node', lease)
    USING division, claimant, window_start, window_end INTO node;
  IF node IS NULL THEN
    refused := 'NO_NODE_FREE';
  END IF;
END
$body$;

CREATE OR REPLACE FUNCTION sharded_id.check_lease_call(schema name, steps bigint) RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
  IF NOT has_schema_privilege(session_user, schema, 'USAGE') THEN
    RAISE EXCEPTION 'permission denied for schema %: a lease of a node needs USAGE on it', schema
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF (steps BETWEEN 1 AND ${longest_lease}) IS NOT TRUE THEN
    RAISE EXCEPTION 'A lease lasts 1 to ${longest_lease} steps of the layout''s unit, not %', steps
      USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF current_setting('transaction_isolation') NOT IN ('read committed', 'read uncommitted') THEN
    RAISE EXCEPTION 'Leases of nodes are granted at READ COMMITTED only, not %', current_setting('transaction_isolation')
      USING ERRCODE = 'invalid_transaction_state';
  END IF;
  -- A lease must outlive a crash of the server, and a lock on the whole table must not hold up those of other shards.
  IF current_setting('synchronous_commit') = 'off' THEN
    PERFORM set_config('synchronous_commit', 'on', true);
  END IF;
  PERFORM set_config('lock_timeout', '1s', true);
END
$body$;

-- Why no lease can be granted at present, or NULL; and the earliest timestamp at which a window may start. Notes the change
-- of a division or a server where it is first seen.
CREATE OR REPLACE FUNCTION sharded_id.lease_refusal(
  schema name, division int, present bigint, OUT refused text, OUT earliest bigint)
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
  lease text := sharded_id.lease_table(schema);
  nodes int;
  head record;
  mine boolean;
  locked boolean;
BEGIN
  -- The share lock keeps a change of server apart from grants that have not committed yet.
  EXECUTE format('SELECT *, xmin AS writer FROM %s WHERE node = -1 FOR SHARE SKIP LOCKED', lease) INTO head;
  mine := coalesce(head.server = sharded_id.lease_stamp(head.writer), false);
  nodes := (SELECT jvm_nodes FROM sharded_id.cluster);
  earliest := head.window_end;
  IF (division = nodes AND nodes > 0) IS NOT TRUE THEN
    refused := 'OTHER_DIVISION';
  ELSIF present NOT BETWEEN 0 AND ${max_timestamp} THEN
    refused := 'EPOCH_EXHAUSTED';
  ELSIF head.node IS NULL THEN  -- locked by a stranger, or a shard whose leases did not come with it
    EXECUTE format('INSERT INTO %s (node, jvm_nodes, window_start, window_end, server)'
                   ' VALUES (-1, $1, 0, $2, sharded_id.lease_stamp()) ON CONFLICT DO NOTHING', lease)
      USING nodes, greatest(present + ${longest_lease}, sharded_id.sequences_end(schema));
    refused := 'LOCKED';
  ELSIF head.jvm_nodes = nodes AND mine THEN
    refused := CASE WHEN present < earliest THEN 'EARLIER_LEASES' END;
  ELSE
    EXECUTE format('SELECT true FROM %s WHERE node = -1 FOR UPDATE SKIP LOCKED', lease) INTO locked;
    IF locked THEN
      EXECUTE format('UPDATE %1$s SET jvm_nodes = $1, server = sharded_id.lease_stamp(), window_end ='
                     ' greatest($2, (SELECT max(window_end) FROM %1$s)) WHERE node = -1', lease)
        USING nodes, CASE WHEN mine THEN 0 ELSE present + ${longest_lease} END;
      EXECUTE format('DELETE FROM %s WHERE jvm_nodes <> $1', lease) USING nodes;
    END IF;
    refused := CASE WHEN locked THEN 'EARLIER_LEASES' ELSE 'LOCKED' END;
  END IF;
END
$body$;

-- The first timestamp after those of all ids made from the sequences of a schema
CREATE OR REPLACE FUNCTION sharded_id.sequences_end(schema name) RETURNS bigint
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
  seq regclass;
  result bigint := 0;
BEGIN
  FOR seq IN SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE n.nspname = schema AND c.relkind = 'S' LOOP
    IF NOT sharded_id.readable(seq) THEN
      RAISE EXCEPTION 'permission denied for sequence %: leases of nodes need USAGE or SELECT on it', seq
        USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF pg_sequence_last_value(seq) BETWEEN 0 AND ${max_id} THEN
      result := greatest(result, (pg_sequence_last_value(seq) >> ${low_bits}) + 1);
    END IF;
  END LOOP;
  RETURN result;
END
$body$;

-- Gives back what a claimant holds. stamp: the first timestamp that it has not used and never will
CREATE OR REPLACE FUNCTION sharded_id.release_node(schema name, claimant uuid, stamp bigint) RETURNS int
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
  lease text := sharded_id.lease_table(schema);
  released int;
BEGIN
  PERFORM sharded_id.check_lease_call(schema, 1);
  EXECUTE format('UPDATE %s SET holder = NULL,'
                 ' window_end = least(window_end, greatest(window_start, $2)) WHERE holder = $1', lease)
    USING claimant, stamp;
  GET DIAGNOSTICS released = ROW_COUNT;
  RETURN released;
END
$body$;

-- Ids above a given one, for a JVM whose own ids have run ahead of the clock: of generations after that id's, if the sequence is
-- not past it.
CREATE OR REPLACE FUNCTION sharded_id.next_ids_after(seq regclass, shard int, n int, floor bigint) RETURNS SETOF bigint
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE ROWS 1000 AS $body$
DECLARE
  v bigint;
BEGIN
  IF pg_catalog.pg_sequence_last_value(seq) OPERATOR(pg_catalog.>) floor
     OR (n OPERATOR(pg_catalog.>=) 1 AND n OPERATOR(pg_catalog.<=) 100000000) IS NOT TRUE THEN
    RETURN QUERY SELECT * FROM sharded_id.next_ids(seq, shard, n);
    RETURN;
  END IF;
  v := sharded_id.hop_from(seq, shard, n, ${database_sequences},
                           (floor OPERATOR(pg_catalog.>>) ${low_bits}) OPERATOR(pg_catalog.+) 1);
  IF n OPERATOR(pg_catalog.=) 1 THEN
    RETURN NEXT v;
  ELSE
    RETURN QUERY SELECT (((v OPERATOR(pg_catalog.+) (i OPERATOR(pg_catalog./) ${database_sequences})) OPERATOR(pg_catalog.*) ${window_distance})
            OPERATOR(pg_catalog.+) ${window_start}) OPERATOR(pg_catalog.+) (i OPERATOR(pg_catalog.%) ${database_sequences})
    FROM pg_catalog.generate_series(0, n OPERATOR(pg_catalog.-) 1) i;
  END IF;
END
$body$;
