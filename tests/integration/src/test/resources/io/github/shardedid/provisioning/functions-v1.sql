-- How the first version of the functions made ids, for 8 shards of the default layout.

CREATE OR REPLACE FUNCTION sharded_id.next_id(seq regclass, shard int) RETURNS bigint
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE AS $body$
DECLARE
  p bigint := pg_sequence_last_value(seq);
  v bigint;
BEGIN
  -- Fast path, no lock: the generation is not behind the clock, and there is room in its window.
  IF true AND p >> 23 >= floor(date_part('epoch', clock_timestamp()) * 1000)::bigint - 1314220021721
     AND p & 8388607 BETWEEN (shard << 10) AND (shard << 10) + 510 THEN
    v := nextval(seq);
    IF v & 8388096 = (shard << 10) THEN
      RETURN v;
    END IF;
  END IF;
  -- At most once per generation: hop to the next one, under a lock of the session. Lock, setval and unlock are one
  -- expression, in which the server looks for no cancel: so none leaks the lock. (A subtransaction that is rolled back
  -- frees it in any case, which is the way of hop(), but costs as much as all the rest.) What could make setval fail is
  -- looked for before: no right to it, a transaction that may not write or gets no number, a sequence with bounds of its
  -- own, the end of the epoch. "*", not "<<": past the end of the epoch it raises, "<<" would wrap.
  v := greatest((p >> 23) + 1, floor(date_part('epoch', clock_timestamp()) * 1000)::bigint - 1314220021721);
  IF true AND v BETWEEN 0 AND 1088516511498 AND p >> 23 > v - 86400000 AND shard BETWEEN 0 AND 7
     AND current_setting('transaction_read_only') = 'off' AND has_sequence_privilege(seq, 'UPDATE')
     AND pg_current_xact_id() IS NOT NULL THEN
    v := CASE WHEN pg_try_advisory_lock(1768842083, seq::oid::int)
         THEN setval(seq, greatest((pg_sequence_last_value(seq) >> 23) + 1, v) * 8388608::bigint + (shard << 10))
              * pg_advisory_unlock(1768842083, seq::oid::int)::int END;
    IF v IS NOT NULL THEN
      RETURN v;
    END IF;
  END IF;
  RETURN sharded_id.hop(seq, shard, 1, 512);
END
$body$;

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
    IF NOT pg_try_advisory_xact_lock(1768842083, seq::oid::int) THEN
      -- Another session hops. Use the room left in the old generation, or many sessions form a convoy.
      IF true AND n = 1
         AND pg_sequence_last_value(seq) & 8388607 BETWEEN (shard << 10) AND (shard << 10) + 510 THEN
        v := nextval(seq);
        IF v & 8388096 = (shard << 10) THEN
          RETURN v;
        END IF;
        v := NULL;
      END IF;
      waited := pg_advisory_xact_lock(1768842083, seq::oid::int)::text;
    END IF;
    clock := floor(date_part('epoch', clock_timestamp()) * 1000)::bigint - 1314220021721;
    p := pg_sequence_last_value(seq);
    IF n = 1 AND p >> 23 >= clock
       AND p & 8388607 BETWEEN (shard << 10) AND (shard << 10) + 510 THEN
      v := CASE WHEN true THEN nextval(seq) ELSE setval(seq, p + 1) END;  -- somebody hopped while we waited
      IF v & 8388096 <> (shard << 10) THEN
        v := NULL;
      END IF;
    END IF;
    IF v IS NULL THEN
      p := pg_sequence_last_value(seq);
      first := greatest((p >> 23) + 1, clock);
      IF (first BETWEEN 0 AND 1099511627775 - (n - 1) / per AND shard BETWEEN 0 AND 7
          AND (p IS NOT NULL OR sharded_id.readable(seq))) IS NOT TRUE THEN
        PERFORM sharded_id.refuse(seq, shard, first + (n - 1) / per);
      END IF;
      v := setval(seq, (first + (n - 1) / per) * 8388608::bigint
                       + (shard << 10) + (n - 1) % per);
    END IF;
    RAISE SQLSTATE 'ID001';
  EXCEPTION WHEN SQLSTATE 'ID001' THEN
    RETURN CASE WHEN n = 1 THEN v ELSE first END;
  END;
END
$body$;
