-- Ends a plan that runs. Parameters: its state, its failure, its number.
UPDATE sharded_id.standing_order SET state = ?, failure = ?, changed = clock_timestamp() WHERE number = ? AND state = 'RUNNING'
