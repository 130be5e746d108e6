-- Stops a plan that runs or has failed.
UPDATE sharded_id.standing_order SET state = 'STOPPED', changed = clock_timestamp()
  WHERE number = ? AND state IN ('RUNNING', 'FAILED') RETURNING *
