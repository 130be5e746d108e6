-- Claims of values that are unique over all shards. The claim of a value is in the shard of its hash, in the table sharded_id_claim, and says
-- which row may have the value. Which one has it is decided by the rows: see the class Claims. The functions get the table's name as a text, with its
-- schema: a plan keeps the oid of a regclass, with which it would go on in the schema that a move has renamed.

-- The transaction that is about to write a row of a shard of this database: its id, and which home of the shard it is that gives the id
-- a meaning. The id is followed by the time when the transaction began, since a crash lets ids be used again that nothing on the disk
-- has. The lock keeps the shard here until the transaction ends.
CREATE OR REPLACE FUNCTION sharded_id.claimant_transaction(
  claims text, OUT by_transaction text, OUT by_database text, OUT by_generation bigint)
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
  EXECUTE format('LOCK TABLE %s IN ACCESS SHARE MODE', claims);
  SELECT pg_current_xact_id() || '@' || extract(epoch FROM transaction_timestamp()), c.database_name, s.generation
  INTO STRICT by_transaction, by_database, by_generation
  FROM sharded_id.cluster c, sharded_id.shard s WHERE s.shard = substring(claims FROM '^shard_([0-9]+)[.]')::int;
END
$body$;

-- Claims values for rows, and returns the claims of the same values that are not of this transaction and these rows; with the id -1 if a claim
-- was deleted meanwhile, so that nobody has it. The first row names the transaction of the rows.
-- writer, writer_database, writer_generation: the transaction that writes the rows; NULL if it is this one, because the rows are in this
-- shard, too. longest_wait: the longest wait for a lock, in milliseconds.
CREATE OR REPLACE FUNCTION sharded_id.claim_unique(
  claims text, keys text[], texts text[], ids bigint[], writer text, writer_database text, writer_generation bigint, longest_wait int)
RETURNS TABLE (key text, value text, id bigint, prior bigint[], by_transaction text, by_database text, by_generation bigint)
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
  before text := current_setting('lock_timeout');
BEGIN
  IF writer IS NULL THEN
    SELECT c.by_transaction, c.by_database, c.by_generation INTO STRICT writer, writer_database, writer_generation
    FROM sharded_id.claimant_transaction(claims) c;
  ELSIF current_setting('synchronous_commit') = 'off' THEN
    -- A crash must not forget a claim whose row is stored.
    PERFORM set_config('synchronous_commit', 'on', true);
  END IF;
  RETURN QUERY SELECT NULL::text, NULL::text, NULL::bigint, NULL::bigint[], writer, writer_database, writer_generation;
  PERFORM set_config('lock_timeout', longest_wait::text, true);
  -- In the order of the index, lest two that claim several values wait for each other.
  EXECUTE format('INSERT INTO %s (attribute, value, id, transaction, database, generation)'
      ' SELECT w.attribute, w.value, w.id, $4, $5, $6 FROM unnest($1, $2, $3) AS w (attribute, value, id) ORDER BY 1, 2'
      ' ON CONFLICT (attribute, value) DO NOTHING', claims)
    USING keys, texts, ids, writer, writer_database, writer_generation;
  PERFORM set_config('lock_timeout', before, true);
  RETURN QUERY EXECUTE format('SELECT attribute, value, coalesce(c.id, -1), coalesce(c.prior, $7), c.transaction, c.database, c.generation'
      ' FROM unnest($1, $2, $3) AS w (attribute, value, id) LEFT JOIN %s c USING (attribute, value)'
      ' WHERE (c.id, c.transaction, c.database, c.generation) IS DISTINCT FROM (w.id, $4, $5, $6)', claims)
    USING keys, texts, ids, writer, writer_database, writer_generation, '{}'::bigint[];
END
$body$;

-- Takes a claim over, if it is still the one that was judged. earlier: the rows that have the value if the transaction, or a part of it, is
-- rolled back.
CREATE OR REPLACE FUNCTION sharded_id.take_claim(
  claims text, of_key text, of_value text, judged_id bigint, judged_prior bigint[], judged_transaction text, judged_database text,
  judged_generation bigint, new_id bigint, earlier bigint[], writer text, writer_database text, writer_generation bigint, longest_wait int)
RETURNS boolean
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
  before text := current_setting('lock_timeout');
  taken int;
BEGIN
  IF current_setting('synchronous_commit') = 'off' THEN
    PERFORM set_config('synchronous_commit', 'on', true);
  END IF;
  PERFORM set_config('lock_timeout', longest_wait::text, true);
  EXECUTE format('UPDATE %s SET id = $1, prior = $2, transaction = $3, database = $4, generation = $5,'
      ' changed = clock_timestamp() WHERE attribute = $6 AND value = $7 AND id = $8 AND prior = $9'
      ' AND transaction = $10 AND database = $11 AND generation = $12', claims)
    USING new_id, earlier, writer, writer_database, writer_generation, of_key, of_value, judged_id, judged_prior, judged_transaction,
      judged_database, judged_generation;
  GET DIAGNOSTICS taken = ROW_COUNT;
  PERFORM set_config('lock_timeout', before, true);
  RETURN taken = 1;
END
$body$;

-- Whether the transaction of a claim has ended: by the database of the row that the claim names. A shard that has moved since has waited
-- for it. An id beyond the latest one was assigned before a crash or a restore.
CREATE OR REPLACE FUNCTION sharded_id.has_claimant_ended(
  claims text, of_transaction text, of_database text, of_generation bigint) RETURNS boolean
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
  -- Fails where the shard is no longer, or not yet: by a shard map that is out of date, the transaction would be taken for ended.
  EXECUTE format('LOCK TABLE %s IN ACCESS SHARE MODE', claims);
  IF EXISTS (SELECT FROM sharded_id.shard s
      WHERE s.shard = substring(claims FROM '^shard_([0-9]+)[.]')::int AND s.state = 'RECEIVING') THEN
    RAISE EXCEPTION '% is not the shard, but a copy of it', claims USING ERRCODE = 'ID002';
  END IF;
  IF NOT EXISTS (SELECT FROM sharded_id.cluster c, sharded_id.shard s WHERE c.database_name = of_database
      AND s.shard = substring(claims FROM '^shard_([0-9]+)[.]')::int AND s.generation = of_generation) THEN
    RETURN true;
  END IF;
  RETURN coalesce(pg_xact_status(split_part(of_transaction, '@', 1)::xid8) <> 'in progress', true);
EXCEPTION WHEN invalid_parameter_value THEN
  RETURN true;
END
$body$;
