-- The target is being given a shard. Parameters: the shard, and the generation of a new row.
INSERT INTO sharded_id.shard AS s (shard, generation, state) VALUES (?, ?, 'RECEIVING')
  ON CONFLICT (shard) DO UPDATE SET state = excluded.state, migrations = NULL WHERE s.state IN ('MOVED', 'RECEIVING')
