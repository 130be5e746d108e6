-- Records how many moves are left of a plan that runs, and now and then that it is being worked on. Parameters: moves, number of the plan.
UPDATE sharded_id.standing_order SET done = greatest(done, total - now.remaining), changed = clock_timestamp()
  FROM (SELECT ?::int AS remaining) now WHERE number = ? AND state = 'RUNNING'
  AND (done < total - now.remaining OR changed < clock_timestamp() - interval '1 minute')
