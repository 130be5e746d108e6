-- The functions of one database, shared by all its shards. ${...} are constants of the cluster's layout, put in when
-- the functions are installed, so that a call reads no table.
-- Whoever calls them has a search path of their own, in which others may have put functions and operators that fit better than
-- PostgreSQL's. So every name is qualified, operators too, or the function has a path of its own, which costs as much again as a
-- call of next_id. OPERATOR(...) knows no precedence: parentheses say it. BETWEEN, IN and IS DISTINCT FROM cannot be qualified.
--
-- The sequence of a table holds the table's last id itself. Below an id's timestamp ("generation") lie ${low_bits} bits, of
-- which a generation uses only the ${database_sequences} values of its shard ("window").
-- Why no id comes twice: an id is returned only if it is the value of an atomic nextval or setval inside the window;
-- setval runs under a lock only, and only to a later generation. Peeking before nextval bounds the values that a
-- generation may burn behind the window by the number of server processes (below 2^18), too few to carry the sequence
-- into the next window; layouts whose windows lie closer (wide = false) never use nextval, but setval under the lock.
-- The lock is an advisory one, which everybody may take who can connect. So its number is a secret of those who make ids, another
-- one for each generation (of a layout that is not wide, for each id): everybody can see it while it is held, and has no use for it
-- afterwards. Whoever has it looks again whether the sequence is still where the number says, since otherwise others have another
-- lock. Nobody waits for it in a queue, in which others could stand before him; and it is never held but within one expression that
-- has moved the sequence at its end.
-- A call may meet newer versions of the functions that it calls: each answers what the caller relies on.

-- The number of the lock under which a sequence leaves its state, which is its generation.
CREATE OR REPLACE FUNCTION sharded_id.lock_number(seq regclass, state bigint) RETURNS bigint
LANGUAGE sql VOLATILE AS $body$
  SELECT pg_catalog.hashtextextended(pg_catalog.encode(pg_catalog.sha256(
    pg_catalog.int8send(pg_catalog.pg_sequence_last_value('sharded_id.lock_secret'::pg_catalog.regclass))
    OPERATOR(pg_catalog.||) pg_catalog.int8send($2) OPERATOR(pg_catalog.||) pg_catalog.oidsend($1)), 'base64'), 0)
$body$;

CREATE OR REPLACE FUNCTION sharded_id.next_id(seq regclass, shard int) RETURNS bigint
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE AS $body$
DECLARE
  p bigint := pg_catalog.pg_sequence_last_value(seq);
  lock bigint;
  v bigint;
BEGIN
  -- Fast path, no lock: the generation is not behind the clock, and there is room in its window.
  IF ${wide} AND (p OPERATOR(pg_catalog.>>) ${low_bits}) OPERATOR(pg_catalog.>=) ${now}
     AND (p OPERATOR(pg_catalog.&) ${low_mask}) OPERATOR(pg_catalog.>=) ${window_start}
     AND (p OPERATOR(pg_catalog.&) ${low_mask}) OPERATOR(pg_catalog.<=) (${window_start} OPERATOR(pg_catalog.+) ${room}) THEN
    v := pg_catalog.nextval(seq);
    IF (v OPERATOR(pg_catalog.&) ${window_mask}) OPERATOR(pg_catalog.=) ${window_start} THEN
      RETURN v;
    END IF;
  END IF;
  -- At most once per generation: hop to the next one, under a lock of the session. Lock, setval and unlock are one
  -- expression, in which the server looks for no cancel: so none leaks the lock. (A subtransaction that is rolled back
  -- frees it in any case, which is the way of hop(), but costs as much as all the rest.) What could make setval fail is
  -- looked for before: no right to it, a transaction that may not write or gets no number, a sequence with bounds of its
  -- own, the end of the epoch. "*", not "<<": past the end of the epoch it raises, "<<" would wrap.
  v := greatest((p OPERATOR(pg_catalog.>>) ${low_bits}) OPERATOR(pg_catalog.+) 1, ${now});
  IF ${wide} AND v OPERATOR(pg_catalog.>=) 0 AND v OPERATOR(pg_catalog.<=) ${late}
     AND (p OPERATOR(pg_catalog.>>) ${low_bits}) OPERATOR(pg_catalog.>) (v OPERATOR(pg_catalog.-) ${recent})
     AND shard OPERATOR(pg_catalog.>=) 0 AND shard OPERATOR(pg_catalog.<=) ${max_layout_shard}
     AND pg_catalog.current_setting('transaction_read_only') OPERATOR(pg_catalog.=) 'off'
     AND pg_catalog.has_sequence_privilege(seq::pg_catalog.oid, 'UPDATE')
     AND pg_catalog.pg_current_xact_id() IS NOT NULL THEN
    lock := sharded_id.lock_number(seq, p OPERATOR(pg_catalog.>>) ${low_bits});
    v := CASE WHEN pg_catalog.pg_try_advisory_lock(lock)
         THEN coalesce(CASE WHEN (p OPERATOR(pg_catalog.>>) ${low_bits})
                OPERATOR(pg_catalog.=) (pg_catalog.pg_sequence_last_value(seq) OPERATOR(pg_catalog.>>) ${low_bits})
              THEN pg_catalog.setval(seq, (v OPERATOR(pg_catalog.*) ${window_distance})
                                          OPERATOR(pg_catalog.+) ${window_start}) END, -1::bigint)
              OPERATOR(pg_catalog.*) pg_catalog.pg_advisory_unlock(lock)::int END;
    IF v OPERATOR(pg_catalog.>=) 0 THEN
      RETURN v;
    END IF;
  END IF;
  RETURN sharded_id.hop(seq, shard, 1, ${database_sequences});
END
$body$;

-- The contended way to one id, and the way to n > 1 ids: the first of the generations reserved is returned then. per: how many
-- ids the caller will make of each, which is not what this version would make if the functions are just being replaced. No
-- generation is before the earliest.
CREATE OR REPLACE FUNCTION sharded_id.hop_from(seq regclass, shard int, n int, per int, earliest bigint) RETURNS bigint
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE AS $body$
DECLARE
  more int := n OPERATOR(pg_catalog.-) 1;
  tries int := 0;
  clock bigint;
  p bigint;
  room boolean;
  first bigint;
  v bigint;
BEGIN
  IF (n OPERATOR(pg_catalog.>=) 1 AND per OPERATOR(pg_catalog.>=) 1) IS NOT TRUE THEN
    RAISE EXCEPTION 'hop can reserve 1 id or more, and 1 or more of each timestamp, not % and %', n, per
      USING ERRCODE = 'invalid_parameter_value';
  END IF;
  LOOP
    clock := greatest(${now}, earliest);
    p := pg_catalog.pg_sequence_last_value(seq);
    room := more OPERATOR(pg_catalog.=) 0
            AND (p OPERATOR(pg_catalog.&) ${low_mask}) OPERATOR(pg_catalog.>=) ${window_start}
            AND (p OPERATOR(pg_catalog.&) ${low_mask}) OPERATOR(pg_catalog.<=) (${window_start} OPERATOR(pg_catalog.+) ${room});
    -- While another session hops, the room left in the old generation is used, or many sessions form a convoy.
    IF ${wide} AND room AND ((p OPERATOR(pg_catalog.>>) ${low_bits}) OPERATOR(pg_catalog.>=) clock
                             OR tries OPERATOR(pg_catalog.>) 0) THEN
      v := pg_catalog.nextval(seq);
      IF (v OPERATOR(pg_catalog.&) ${window_mask}) OPERATOR(pg_catalog.=) ${window_start} THEN
        RETURN v;
      END IF;
      p := pg_catalog.pg_sequence_last_value(seq);
    END IF;
    room := NOT ${wide} AND room AND (p OPERATOR(pg_catalog.>>) ${low_bits}) OPERATOR(pg_catalog.>=) clock;
    first := CASE WHEN room THEN p OPERATOR(pg_catalog.>>) ${low_bits}
                  ELSE greatest((p OPERATOR(pg_catalog.>>) ${low_bits}) OPERATOR(pg_catalog.+) 1, clock) END;
    IF (first OPERATOR(pg_catalog.>=) 0
        AND first OPERATOR(pg_catalog.<=) (${max_timestamp} OPERATOR(pg_catalog.-) (more OPERATOR(pg_catalog./) per))
        AND shard OPERATOR(pg_catalog.>=) 0 AND shard OPERATOR(pg_catalog.<=) ${max_layout_shard}
        AND pg_catalog.has_sequence_privilege(seq::pg_catalog.oid, 'UPDATE')
        AND (p IS NOT NULL OR sharded_id.readable(seq))
        AND pg_catalog.current_setting('transaction_read_only') OPERATOR(pg_catalog.=) 'off') IS NOT TRUE THEN
      PERFORM sharded_id.refuse(seq, shard, first OPERATOR(pg_catalog.+) (more OPERATOR(pg_catalog./) per));
    END IF;
    v := CASE WHEN room THEN p OPERATOR(pg_catalog.+) 1
         ELSE (((first OPERATOR(pg_catalog.+) (more OPERATOR(pg_catalog./) per)) OPERATOR(pg_catalog.*) ${window_distance})
               OPERATOR(pg_catalog.+) ${window_start}) OPERATOR(pg_catalog.+) (more OPERATOR(pg_catalog.%) per) END;
    BEGIN
      v := CASE WHEN pg_catalog.pg_try_advisory_xact_lock(
                       sharded_id.lock_number(seq, coalesce(p OPERATOR(pg_catalog.>>) ${state_bits}, -1)))
           THEN CASE WHEN coalesce(p OPERATOR(pg_catalog.>>) ${state_bits}, -1) OPERATOR(pg_catalog.=)
                          coalesce(pg_catalog.pg_sequence_last_value(seq) OPERATOR(pg_catalog.>>) ${state_bits}, -1)
                THEN pg_catalog.setval(seq, v) END END;
      RAISE SQLSTATE 'ID001';
    EXCEPTION WHEN SQLSTATE 'ID001' THEN
      IF v IS NOT NULL THEN
        RETURN CASE WHEN more OPERATOR(pg_catalog.=) 0 THEN v ELSE first END;
      END IF;
    END;
    -- Who has the lock needs it for a part of a microsecond, unless the server's processors are busy with others.
    tries := tries OPERATOR(pg_catalog.+) 1;
    IF tries OPERATOR(pg_catalog.>) 20 THEN
      PERFORM pg_catalog.pg_sleep(0.001);
    END IF;
  END LOOP;
END
$body$;

CREATE OR REPLACE FUNCTION sharded_id.hop(seq regclass, shard int, n int, per int) RETURNS bigint
LANGUAGE sql VOLATILE PARALLEL UNSAFE AS $body$
  SELECT sharded_id.hop_from(seq, shard, n, per, NULL)
$body$;

CREATE OR REPLACE FUNCTION sharded_id.next_ids(seq regclass, shard int, n int) RETURNS SETOF bigint
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE ROWS 1000 AS $body$
DECLARE
  first bigint;
BEGIN
  IF n IS NULL OR n OPERATOR(pg_catalog.<) 1 OR n OPERATOR(pg_catalog.>) 100000000 THEN
    RAISE EXCEPTION 'next_ids can reserve 1 to 100000000 ids in one call, not %', n
      USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF n OPERATOR(pg_catalog.<=) 64 THEN
    RETURN QUERY SELECT sharded_id.next_id(seq, shard) FROM pg_catalog.generate_series(1, n);
    RETURN;
  END IF;
  -- Made here, not by another function: that may be replaced between the two by one which makes fewer ids of a timestamp, and more
  -- timestamps than are reserved.
  first := sharded_id.hop(seq, shard, n, ${database_sequences});
  RETURN QUERY SELECT (((first OPERATOR(pg_catalog.+) (i OPERATOR(pg_catalog./) ${database_sequences})) OPERATOR(pg_catalog.*) ${window_distance})
            OPERATOR(pg_catalog.+) ${window_start}) OPERATOR(pg_catalog.+) (i OPERATOR(pg_catalog.%) ${database_sequences})
    FROM pg_catalog.generate_series(0, n OPERATOR(pg_catalog.-) 1) i;
END
$body$;

-- The ids reserved by hop(), from the first of their generations on. For calls of versions before the fourth.
CREATE OR REPLACE FUNCTION sharded_id.ids_of(first bigint, shard int, n int) RETURNS SETOF bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 1000 AS $body$
  SELECT (((first OPERATOR(pg_catalog.+) (i OPERATOR(pg_catalog./) ${database_sequences})) OPERATOR(pg_catalog.*) ${window_distance})
          OPERATOR(pg_catalog.+) ${window_start}) OPERATOR(pg_catalog.+) (i OPERATOR(pg_catalog.%) ${database_sequences})
  FROM pg_catalog.generate_series(0, n OPERATOR(pg_catalog.-) 1) i
$body$;

-- The ids of next_ids in two numbers, for one who makes them himself: the first id, and how many there are of a timestamp. Its
-- cost does not depend on n, but it begins a new timestamp each time.
CREATE OR REPLACE FUNCTION sharded_id.next_id_block(seq regclass, shard int, n int) RETURNS bigint[]
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE AS $body$
BEGIN
  IF n IS NULL OR n OPERATOR(pg_catalog.<) 2 OR n OPERATOR(pg_catalog.>) 100000000 THEN
    RAISE EXCEPTION 'next_id_block can reserve 2 to 100000000 ids in one call, not %', n
      USING ERRCODE = 'invalid_parameter_value';
  END IF;
  RETURN ARRAY[(sharded_id.hop(seq, shard, n, ${database_sequences}) OPERATOR(pg_catalog.*) ${window_distance})
               OPERATOR(pg_catalog.+) ${window_start}, ${database_sequences}];
END
$body$;

-- Whether the last value of a sequence may be read. Since PostgreSQL 17 it is NULL for those who may not, which would
-- look like a new sequence.
CREATE OR REPLACE FUNCTION sharded_id.readable(seq regclass) RETURNS boolean
LANGUAGE sql STABLE AS $body$
  SELECT pg_catalog.has_sequence_privilege($1::pg_catalog.oid, 'USAGE')
      OR pg_catalog.has_sequence_privilege($1::pg_catalog.oid, 'SELECT')
$body$;

CREATE OR REPLACE FUNCTION sharded_id.refuse(seq regclass, shard int, stamp bigint) RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
  IF (shard BETWEEN 0 AND ${max_layout_shard}) IS NOT TRUE THEN
    RAISE EXCEPTION 'This cluster has no shard %: its layout has 0 to ${max_layout_shard}', shard
      USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF NOT sharded_id.readable(seq) OR NOT has_sequence_privilege(seq, 'UPDATE') THEN
    RAISE EXCEPTION 'permission denied for sequence %: next_id needs USAGE and UPDATE on it', seq
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF current_setting('transaction_read_only') <> 'off' THEN
    RAISE EXCEPTION 'cannot execute next_id() in a read-only transaction' USING ERRCODE = 'read_only_sql_transaction';
  END IF;
  RAISE EXCEPTION 'No id can be made for shard % from the sequence %: timestamp % lies outside 0 to ${max_timestamp}, the time of this cluster''s layout (${layout})', shard, seq, stamp
    USING ERRCODE = 'numeric_value_out_of_range',
          HINT = 'Check the clock of this server and the value of the sequence. A layout whose time has run out needs a new cluster.';
END
$body$;

-- stamp: steps of the layout's unit since its epoch
CREATE OR REPLACE FUNCTION sharded_id.encode(stamp bigint, shard int, sequence int) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $body$
BEGIN
  IF stamp OPERATOR(pg_catalog.>=) 0 AND stamp OPERATOR(pg_catalog.<=) ${max_timestamp}
     AND shard OPERATOR(pg_catalog.>=) 0 AND shard OPERATOR(pg_catalog.<=) ${max_layout_shard}
     AND sequence OPERATOR(pg_catalog.>=) 0 AND sequence OPERATOR(pg_catalog.<=) ${max_sequence} THEN
    RETURN ((stamp OPERATOR(pg_catalog.*) ${window_distance}) OPERATOR(pg_catalog.+) ${window_start})
           OPERATOR(pg_catalog.+) sequence;
  END IF;
  RAISE EXCEPTION 'timestamp %, shard %, sequence % do not fit into the layout ${layout}: they may be 0 to ${max_timestamp}, ${max_layout_shard}, ${max_sequence}', stamp, shard, sequence
    USING ERRCODE = 'numeric_value_out_of_range';
END
$body$;

-- The timestamp field's value for an instant, rounded down to the layout's unit
CREATE OR REPLACE FUNCTION sharded_id.timestamp_of(instant timestamptz) RETURNS bigint
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
  stamp bigint := floor((round(date_part('epoch', date_trunc('milliseconds', instant)) * 1000)::numeric - ${epoch}) / ${unit_millis})::bigint;
BEGIN
  IF stamp BETWEEN 0 AND ${max_timestamp} THEN
    RETURN stamp;
  END IF;
  RAISE EXCEPTION '% lies outside the time of the layout ${layout}', instant
    USING ERRCODE = 'numeric_value_out_of_range';
END
$body$;

-- node is NULL when the database made the id
CREATE OR REPLACE FUNCTION sharded_id.decode(id bigint, OUT instant timestamptz, OUT shard int, OUT node int, OUT sequence int)
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
  shard := sharded_id.shard_of(id);
  sequence := id & ${max_sequence};
  IF sequence >= ${database_sequences} THEN
    node := (sequence - ${database_sequences}) / ${sequences_per_node};
  END IF;
  instant := to_timestamp(0) + ((id >> ${low_bits}) * ${unit_millis} + ${epoch}) * interval '1 millisecond';
END
$body$;

CREATE OR REPLACE FUNCTION sharded_id.refuse_id(id bigint) RETURNS int
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
  RAISE EXCEPTION '% is no id of the layout ${layout}: ids run from 0 to ${max_id}', id
    USING ERRCODE = 'invalid_parameter_value',
          HINT = 'Was it rounded or converted on the way, as JavaScript does with large numbers?';
END
$body$;

CREATE OR REPLACE FUNCTION sharded_id.shard_of(id bigint) RETURNS int
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $body$
  SELECT CASE WHEN id OPERATOR(pg_catalog.>=) 0 AND id OPERATOR(pg_catalog.<=) ${max_id}
              THEN ((id OPERATOR(pg_catalog.>>) ${sequence_bits}) OPERATOR(pg_catalog.&) ${max_layout_shard})::int
              WHEN id IS NOT NULL THEN sharded_id.refuse_id(id) END
$body$;

-- The shard of a new row by its shard key: a number modulo the shards that the cluster was created with, a negative one counted from the upper end
CREATE OR REPLACE FUNCTION sharded_id.shard_of_key(key bigint) RETURNS int
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $body$
  SELECT (((key OPERATOR(pg_catalog.%) ${key_shards}) OPERATOR(pg_catalog.+) ${key_shards})
          OPERATOR(pg_catalog.%) ${key_shards})::int
$body$;

-- A text: the first 32 bits of the SHA-256 of its UTF-8 bytes, unsigned, modulo these shards
CREATE OR REPLACE FUNCTION sharded_id.shard_of_key(key text) RETURNS int
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $body$
  SELECT (('x' OPERATOR(pg_catalog.||) pg_catalog.encode(pg_catalog.substr(
            pg_catalog.sha256(pg_catalog.convert_to(key, 'UTF8')), 1, 4), 'hex'))::bit(32)::bigint
          OPERATOR(pg_catalog.%) ${key_shards})::int
$body$;

-- A UUID: that of its canonical text in lower case
CREATE OR REPLACE FUNCTION sharded_id.shard_of_key(key uuid) RETURNS int
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $body$
  SELECT sharded_id.shard_of_key(key::pg_catalog.text)
$body$;
