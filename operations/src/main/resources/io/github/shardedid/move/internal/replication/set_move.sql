-- Assigns to columns of a move, durably.
UPDATE sharded_id.move SET %s WHERE id = '%s' AND pg_catalog.set_config('synchronous_commit', 'on', true) IS NOT NULL
