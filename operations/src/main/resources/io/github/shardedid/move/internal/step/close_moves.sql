-- Closes the journals of the unfinished moves of a shard that was recovered.
UPDATE sharded_id.move SET step = 'ABORTED', changed = clock_timestamp(), failure = 'closed when the shard was recovered here'
  WHERE shard = ? AND step NOT IN ('DONE', 'ABORTED')
