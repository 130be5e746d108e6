-- What the database stores of its cluster. By way of JSON, since a database of an older version lacks columns: it is refused by its
-- version. New shards are open for new rows when each instance has loaded its map at least once since all databases know them.
SELECT c.*, coalesce((j ->> 'key_shards')::int, c.shard_count) AS keys,
  CASE WHEN (j ->> 'grown')::timestamptz > clock_timestamp() - interval '2 minutes' OR j ->> 'grown' IS NULL
       THEN coalesce((j ->> 'open_shards')::int, c.shard_count) ELSE c.shard_count END AS opened,
  j ->> 'grown' IS NOT NULL AS complete
  FROM sharded_id.cluster c, LATERAL to_jsonb(c) j
