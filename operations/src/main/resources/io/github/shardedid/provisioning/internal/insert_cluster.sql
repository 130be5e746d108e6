INSERT INTO sharded_id.cluster (cluster_id, database_name, epoch_ms, unit, timestamp_bits, shard_bits, sequence_bits,
  jvm_nodes, shard_count, key_shards, open_shards, grown, schema_version, provisioned)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, CASE WHEN ? THEN pg_catalog.clock_timestamp() END, ?, ?)
