-- The shards that the database knows.
SELECT s.shard, s.generation, s.state, s.migrations, n.oid IS NOT NULL AS present,
  CASE WHEN s.state = 'MOVED' THEN (SELECT m.target FROM sharded_id.move m WHERE m.shard = s.shard
  AND m.generation = s.generation ORDER BY m.started DESC LIMIT 1) END AS successor
  FROM sharded_id.shard s LEFT JOIN pg_namespace n
  ON n.nspname = 'shard_' || lpad(s.shard::text, greatest(4, length(s.shard::text)), '0')
