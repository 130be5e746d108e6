-- Sets the state of a shard. Parameters: the state, the shard, and the states of which it has one.
UPDATE sharded_id.shard SET state = ? WHERE shard = ? AND state = ANY (?)
