-- The statements that undo the fence of a copy. Parameters: the shard, and the first of the statements.
SELECT unnest(unfence) FROM (SELECT unfence FROM sharded_id.move WHERE shard = ? AND unfence[1] = ? ORDER BY started DESC LIMIT 1) m
