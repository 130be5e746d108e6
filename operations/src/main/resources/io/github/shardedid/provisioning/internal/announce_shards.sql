-- The new shards have their schemas. Those that all instances know by now stay open for new rows meanwhile.
UPDATE sharded_id.cluster SET grown = NULL, shard_count = cast(? AS int),
  open_shards = CASE WHEN grown > clock_timestamp() - interval '2 minutes' OR grown IS NULL THEN open_shards ELSE shard_count END
  WHERE shard_count < cast(? AS int)
