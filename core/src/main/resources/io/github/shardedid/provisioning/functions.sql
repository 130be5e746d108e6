-- The functions of one database, shared by all its shards. ${...} are constants of the cluster's layout, put in when
-- the functions are installed, so that a call reads no table. Names are qualified rather than SET, which would double
-- the cost of a call.
--
-- The sequence of a table holds the table's last id itself. Below an id's timestamp ("generation") lie ${low_bits} bits, of
-- which a generation uses only the ${database_sequences} values of its shard ("window").
-- Why no id comes twice: an id is returned only if it is the value of an atomic nextval or setval inside the window;
-- setval runs under a lock only, and only to a later generation. Peeking before nextval bounds the values that a
-- generation may burn behind the window by the number of server processes (below 2^18), too few to carry the sequence
-- into the next window; layouts whose windows lie closer (wide = false) never use nextval, but setval under the lock.
-- After a change of jvm-nodes to 0 no id is made of a timestamp before cluster.earliest, since JVMs may have made ids of earlier
-- ones: the present is never before it, and no room that is left in an earlier generation is used.
-- A call may meet newer versions of the functions that it calls: each answers what the caller relies on.

CREATE OR REPLACE FUNCTION sharded_id.next_id(seq regclass, shard int) RETURNS bigint
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE AS $body$
DECLARE
  p bigint := pg_sequence_last_value(seq);
  v bigint;
BEGIN
  -- Fast path, no lock: the generation is not behind the clock, and there is room in its window.
  IF ${wide} AND p >> ${low_bits} >= ${now}
     AND p & ${low_mask} BETWEEN ${window_start} AND ${window_start} + ${room} THEN
    v := nextval(seq);
    IF v & ${window_mask} = ${window_start} THEN
      RETURN v;
    END IF;
  END IF;
  -- At most once per generation: hop to the next one, under a lock of the session. Lock, setval and unlock are one
  -- expression, in which the server looks for no cancel: so none leaks the lock. (A subtransaction that is rolled back
  -- frees it in any case, which is the way of hop(), but costs as much as all the rest.) What could make setval fail is
  -- looked for before: no right to it, a transaction that may not write or gets no number, a sequence with bounds of its
  -- own, the end of the epoch. "*", not "<<": past the end of the epoch it raises, "<<" would wrap.
  v := greatest((p >> ${low_bits}) + 1, ${now});
  IF ${wide} AND v BETWEEN 0 AND ${late} AND p >> ${low_bits} > v - ${recent} AND shard BETWEEN 0 AND ${max_shard}
     AND current_setting('transaction_read_only') = 'off' AND has_sequence_privilege(seq, 'UPDATE')
     AND pg_current_xact_id() IS NOT NULL THEN
    v := CASE WHEN pg_try_advisory_lock(${lock_class}, seq::oid::int)
         THEN setval(seq, greatest((pg_sequence_last_value(seq) >> ${low_bits}) + 1, v) * ${window_distance} + ${window_start})
              * pg_advisory_unlock(${lock_class}, seq::oid::int)::int END;
    IF v IS NOT NULL THEN
      RETURN v;
    END IF;
  END IF;
  RETURN sharded_id.hop(seq, shard, 1, ${database_sequences});
END
$body$;

-- The contended way to one id, and the way to n > 1 ids: the first of the generations reserved is returned then. per: how many
-- ids the caller will make of each, which is not what this version would make if the functions are just being replaced.
CREATE OR REPLACE FUNCTION sharded_id.hop(seq regclass, shard int, n int, per int) RETURNS bigint
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE AS $body$
DECLARE
  waited text;
  clock bigint;
  p bigint;
  v bigint;
  first bigint;
BEGIN
  BEGIN
    IF NOT pg_try_advisory_xact_lock(${lock_class}, seq::oid::int) THEN
      -- Another session hops. Use the room left in the old generation, or many sessions form a convoy.
      IF ${wide} AND n = 1
         AND pg_sequence_last_value(seq) & ${low_mask} BETWEEN ${window_start} AND ${window_start} + ${room}${not_too_early} THEN
        v := nextval(seq);
        IF v & ${window_mask} = ${window_start} THEN
          RETURN v;
        END IF;
        v := NULL;
      END IF;
      waited := pg_advisory_xact_lock(${lock_class}, seq::oid::int)::text;
    END IF;
    clock := ${now};
    p := pg_sequence_last_value(seq);
    IF n = 1 AND p >> ${low_bits} >= clock
       AND p & ${low_mask} BETWEEN ${window_start} AND ${window_start} + ${room} THEN
      v := CASE WHEN ${wide} THEN nextval(seq) ELSE setval(seq, p + 1) END;  -- somebody hopped while we waited
      IF v & ${window_mask} <> ${window_start} THEN
        v := NULL;
      END IF;
    END IF;
    IF v IS NULL THEN
      p := pg_sequence_last_value(seq);
      first := greatest((p >> ${low_bits}) + 1, clock);
      IF (first BETWEEN 0 AND ${max_timestamp} - (n - 1) / per AND shard BETWEEN 0 AND ${max_shard}
          AND (p IS NOT NULL OR sharded_id.readable(seq))) IS NOT TRUE THEN
        PERFORM sharded_id.refuse(seq, shard, first + (n - 1) / per);
      END IF;
      v := setval(seq, (first + (n - 1) / per) * ${window_distance}
                       + ${window_start} + (n - 1) % per);
    END IF;
    RAISE SQLSTATE 'ID001';
  EXCEPTION WHEN SQLSTATE 'ID001' THEN
    RETURN CASE WHEN n = 1 THEN v ELSE first END;
  END;
END
$body$;

CREATE OR REPLACE FUNCTION sharded_id.next_ids(seq regclass, shard int, n int) RETURNS SETOF bigint
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE ROWS 1000 AS $body$
DECLARE
  first bigint;
BEGIN
  IF n IS NULL OR n < 1 OR n > 100000000 THEN
    RAISE EXCEPTION 'next_ids can reserve 1 to 100000000 ids in one call, not %', n
      USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF n <= 64 THEN
    RETURN QUERY SELECT sharded_id.next_id(seq, shard) FROM generate_series(1, n);
    RETURN;
  END IF;
  first := sharded_id.hop(seq, shard, n, ${database_sequences});
  RETURN QUERY SELECT (first + i / ${database_sequences}) * ${window_distance} + ${window_start} + i % ${database_sequences}
               FROM generate_series(0, n - 1) i;
END
$body$;

-- The ids of next_ids in two numbers, for one who makes them himself: the first id, and how many there are of a timestamp. Its
-- cost does not depend on n, but it begins a new timestamp each time.
CREATE OR REPLACE FUNCTION sharded_id.next_id_block(seq regclass, shard int, n int) RETURNS bigint[]
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE AS $body$
BEGIN
  IF n IS NULL OR n < 2 OR n > 100000000 THEN
    RAISE EXCEPTION 'next_id_block can reserve 2 to 100000000 ids in one call, not %', n
      USING ERRCODE = 'invalid_parameter_value';
  END IF;
  RETURN ARRAY[sharded_id.hop(seq, shard, n, ${database_sequences}) * ${window_distance} + ${window_start}, ${database_sequences}];
END
$body$;

-- Whether the last value of a sequence may be read. Since PostgreSQL 17 it is NULL for those who may not, which would
-- look like a new sequence.
CREATE OR REPLACE FUNCTION sharded_id.readable(seq regclass) RETURNS boolean
LANGUAGE sql STABLE AS $body$
  SELECT has_sequence_privilege($1, 'USAGE') OR has_sequence_privilege($1, 'SELECT')
$body$;

CREATE OR REPLACE FUNCTION sharded_id.refuse(seq regclass, shard int, stamp bigint) RETURNS void
LANGUAGE plpgsql VOLATILE AS $body$
BEGIN
  IF (shard BETWEEN 0 AND ${max_shard}) IS NOT TRUE THEN
    RAISE EXCEPTION 'This cluster has no shard %: its shards are 0 to ${max_shard}', shard
      USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF NOT sharded_id.readable(seq) THEN
    RAISE EXCEPTION 'permission denied for sequence %: next_id needs USAGE and UPDATE on it', seq
      USING ERRCODE = 'insufficient_privilege';
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
  IF stamp BETWEEN 0 AND ${max_timestamp} AND shard BETWEEN 0 AND ${max_layout_shard}
     AND sequence BETWEEN 0 AND ${max_sequence} THEN
    RETURN stamp * ${window_distance} + ${window_start} + sequence;
  END IF;
  RAISE EXCEPTION 'timestamp %, shard %, sequence % do not fit into the layout ${layout}: they may be 0 to ${max_timestamp}, ${max_layout_shard}, ${max_sequence}', stamp, shard, sequence
    USING ERRCODE = 'numeric_value_out_of_range';
END
$body$;

-- The timestamp field's value for an instant, rounded down to the layout's unit
CREATE OR REPLACE FUNCTION sharded_id.timestamp_of(instant timestamptz) RETURNS bigint
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE AS $body$
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
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE AS $body$
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
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $body$
BEGIN
  RAISE EXCEPTION '% is no id of the layout ${layout}: ids run from 0 to ${max_id}', id
    USING ERRCODE = 'invalid_parameter_value',
          HINT = 'Was it rounded or converted on the way, as JavaScript does with large numbers?';
END
$body$;

CREATE OR REPLACE FUNCTION sharded_id.shard_of(id bigint) RETURNS int
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $body$
  SELECT CASE WHEN id BETWEEN 0 AND ${max_id} THEN (id >> ${sequence_bits} & ${max_layout_shard})::int
              WHEN id IS NOT NULL THEN sharded_id.refuse_id(id) END
$body$;

-- The shard of a new row by its shard key: a number modulo the shards, a negative one counted from the upper end
CREATE OR REPLACE FUNCTION sharded_id.shard_of_key(key bigint) RETURNS int
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $body$
  SELECT ((key % ${shard_count} + ${shard_count}) % ${shard_count})::int
$body$;

-- A text: the first 32 bits of the SHA-256 of its UTF-8 bytes, unsigned, modulo the shards
CREATE OR REPLACE FUNCTION sharded_id.shard_of_key(key text) RETURNS int
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $body$
  SELECT (('x' || pg_catalog.encode(substring(sha256(convert_to(key, 'UTF8')) FROM 1 FOR 4), 'hex'))::bit(32)::bigint % ${shard_count})::int
$body$;

-- A UUID: that of its canonical text in lower case
CREATE OR REPLACE FUNCTION sharded_id.shard_of_key(key uuid) RETURNS int
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $body$
  SELECT sharded_id.shard_of_key(key::text)
$body$;
