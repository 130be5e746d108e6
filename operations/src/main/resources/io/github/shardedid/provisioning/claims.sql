-- Claims of values that are unique over all shards. The claim of a value is in the shard of its hash, in the table sharded_id_claim, and says
-- which row may have the value. Which one has it is decided by the rows: see the class Claims. The functions get the table's name as a text, with its
-- schema: a plan keeps the oid of a regclass, with which it would go on in the schema that a move has renamed.

-- The transaction that is about to write a row of a shard of this database: its id, and the database and generation of the shard, which give the
-- id a meaning. The id is followed by the time when the transaction began, since a crash lets ids be used again that nothing on the disk
-- has. The lock keeps the shard here until the transaction ends.
CREATE OR REPLACE FUNCTION sharded_id.claimant_transaction(claims text) RETURNS text[]
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
  claimant text[];
BEGIN
  EXECUTE 'LOCK TABLE ' || claims || ' IN ACCESS SHARE MODE';
  SELECT ARRAY[pg_current_xact_id() || '@' || extract(epoch FROM transaction_timestamp()), c.database_name, s.generation::text]
  INTO STRICT claimant
  FROM sharded_id.cluster c, sharded_id.shard s WHERE s.shard = substring(claims FROM '^shard_([0-9]+)[.]')::int;
  RETURN claimant;
END
$body$;

-- Claims values for rows, and returns the claims of the same values that are not of this transaction and these rows, or that name prior rows; with the id
-- -1 if a claim was deleted meanwhile, so that nobody has it. The first row names the transaction of the rows.
-- writer: the transaction that writes the rows; NULL if it is this one, because the rows are in this shard, too. longest_wait: the longest wait
-- for a lock, in milliseconds; the end of the function restores the setting.
-- A save waits for this function, so the ordinary case has a single statement that is planned again; assignments are not planned.
CREATE OR REPLACE FUNCTION sharded_id.claim_unique(
  claims text, keys text[], texts text[], ids bigint[], writer text[], longest_wait int)
RETURNS TABLE (key text, value text, id bigint, prior bigint[], claimant text[])
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp SET lock_timeout = 0 AS $body$
DECLARE
  setting text := set_config('lock_timeout', longest_wait::text, true);
  inserted int;
BEGIN
  IF writer IS NULL THEN
    claimant := sharded_id.claimant_transaction(claims);
  ELSE
    claimant := writer;
    IF current_setting('synchronous_commit') = 'off' THEN
      -- A crash must not forget a claim whose row is stored.
      setting := set_config('synchronous_commit', 'on', true);
    END IF;
  END IF;
  prior := '{}';
  RETURN NEXT;
  IF cardinality(keys) = 1 THEN
    EXECUTE 'INSERT INTO ' || claims || ' (attribute, value, id, transaction, database, generation) VALUES ($1, $2, $3, $4, $5, $6)'
        ' ON CONFLICT (attribute, value) DO NOTHING'
      USING keys[1], texts[1], ids[1], claimant[1], claimant[2], claimant[3]::bigint;
  ELSE
    -- In the order of the index, lest two that claim several values wait for each other.
    EXECUTE 'INSERT INTO ' || claims || ' (attribute, value, id, transaction, database, generation)'
        ' SELECT w.attribute, w.value, w.id, $4, $5, $6 FROM unnest($1, $2, $3) AS w (attribute, value, id) ORDER BY 1, 2'
        ' ON CONFLICT (attribute, value) DO NOTHING'
      USING keys, texts, ids, claimant[1], claimant[2], claimant[3]::bigint;
  END IF;
  GET DIAGNOSTICS inserted = ROW_COUNT;
  IF inserted = cardinality(keys) THEN
    RETURN;
  END IF;
  -- Prior rows may have got the value back by a rollback to a savepoint, also before this row takes it again.
  RETURN QUERY EXECUTE 'SELECT attribute, value, coalesce(c.id, -1), coalesce(c.prior, $5),'
      ' CASE WHEN c.id IS NULL THEN $4 ELSE ARRAY[c.transaction, c.database, c.generation::text] END'
      ' FROM unnest($1, $2, $3) AS w (attribute, value, id) LEFT JOIN ' || claims || ' c USING (attribute, value)'
      ' WHERE (c.id, ARRAY[c.transaction, c.database, c.generation::text]) IS DISTINCT FROM (w.id, $4)'
      ' OR c.prior <> $5'
    USING keys, texts, ids, claimant, '{}'::bigint[];
END
$body$;

-- Takes a claim over, if it is still the one that was judged. earlier: the rows that have the value if the transaction, or a part of it, is
-- rolled back.
CREATE OR REPLACE FUNCTION sharded_id.take_claim(
  claims text, of_key text, of_value text, judged_id bigint, judged_prior bigint[], judged text[], new_id bigint, earlier bigint[],
  writer text[], longest_wait int)
RETURNS boolean
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp SET lock_timeout = 0 AS $body$
DECLARE
  setting text := set_config('lock_timeout', longest_wait::text, true);
  taken int;
BEGIN
  IF current_setting('synchronous_commit') = 'off' THEN
    setting := set_config('synchronous_commit', 'on', true);
  END IF;
  EXECUTE 'UPDATE ' || claims || ' SET id = $1, prior = $2, transaction = $3[1], database = $3[2], generation = $3[3]::bigint,'
      ' changed = clock_timestamp() WHERE attribute = $4 AND value = $5 AND id = $6 AND prior = $7'
      ' AND ARRAY[transaction, database, generation::text] = $8'
    USING new_id, earlier, writer, of_key, of_value, judged_id, judged_prior, judged;
  GET DIAGNOSTICS taken = ROW_COUNT;
  RETURN taken = 1;
END
$body$;

-- Whether the transaction of a claim has ended: by the database of the row that the claim names. A shard that has moved since has waited
-- for it. An id beyond the latest one was assigned before a crash or a restore.
CREATE OR REPLACE FUNCTION sharded_id.has_claimant_ended(claims text, claimant text[]) RETURNS boolean
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
  -- Fails where the shard is no longer, or not yet: by a shard map that is out of date, the transaction would be taken for ended.
  EXECUTE 'LOCK TABLE ' || claims || ' IN ACCESS SHARE MODE';
  IF EXISTS (SELECT FROM sharded_id.shard s
      WHERE s.shard = substring(claims FROM '^shard_([0-9]+)[.]')::int AND s.state = 'RECEIVING') THEN
    RAISE EXCEPTION '% is not the shard, but a copy of it', claims USING ERRCODE = 'ID002';
  END IF;
  IF NOT EXISTS (SELECT FROM sharded_id.cluster c, sharded_id.shard s WHERE c.database_name = claimant[2]
      AND s.shard = substring(claims FROM '^shard_([0-9]+)[.]')::int AND s.generation = claimant[3]::bigint) THEN
    RETURN true;
  END IF;
  RETURN coalesce(pg_xact_status(split_part(claimant[1], '@', 1)::xid8) <> 'in progress', true);
EXCEPTION WHEN invalid_parameter_value THEN
  RETURN true;
END
$body$;
