-- The target owns the shard that it has received. Parameters: the next generation, the migrations, and the shard.
UPDATE sharded_id.shard SET state = 'ACTIVE', generation = ?, migrations = ? WHERE shard = ? AND state = 'RECEIVING'
