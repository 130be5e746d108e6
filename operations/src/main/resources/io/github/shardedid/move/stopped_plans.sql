-- The plans that do not go on by themselves.
SELECT * FROM sharded_id.standing_order o WHERE state = 'RUNNING' AND changed < clock_timestamp() - interval '1 day'
  OR state = 'FAILED' AND NOT EXISTS (SELECT FROM sharded_id.standing_order n WHERE n.number > o.number)
