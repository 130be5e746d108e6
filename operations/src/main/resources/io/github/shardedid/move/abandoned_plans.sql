-- The plans that run.
SELECT * FROM sharded_id.standing_order WHERE state = 'RUNNING'
  AND changed BETWEEN clock_timestamp() - interval '1 day' AND clock_timestamp() - interval '2 s'
