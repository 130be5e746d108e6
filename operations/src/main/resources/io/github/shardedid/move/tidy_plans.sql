-- Only one instance begins a plan at a time. Plans that ended long ago are forgotten.
LOCK TABLE sharded_id.standing_order IN SHARE ROW EXCLUSIVE MODE;
DELETE FROM sharded_id.standing_order WHERE state <> 'RUNNING' AND changed < clock_timestamp() - interval '7 days'
