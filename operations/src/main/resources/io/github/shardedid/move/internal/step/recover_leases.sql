-- The shard, whose schema is %1$s, grants no leases of windows that may be used already. Parameter: the schema.
UPDATE %1$s.sharded_id_lease SET server = NULL, window_end = greatest(window_end, sharded_id.sequences_end(?)) WHERE node = -1
