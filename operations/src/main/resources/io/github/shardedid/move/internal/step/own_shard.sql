-- The database owns a recovered shard. Parameters: the shard, its generation, and whether it keeps what is known of its migrations.
INSERT INTO sharded_id.shard AS s (shard, generation, state) VALUES (?, ?, 'ACTIVE') ON CONFLICT (shard)
  DO UPDATE SET generation = excluded.generation, state = excluded.state, migrations = CASE WHEN ? THEN s.migrations END
