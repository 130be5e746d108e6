-- The pattern of the names of the slots by which a subscription of this database copies tables.
SELECT 'pg_' || oid || '_sync_%_' || split_part(sharded_id.server(), '/', 1) FROM pg_subscription
  WHERE subname = ? AND subdbid = (SELECT oid FROM pg_database WHERE datname = current_database())
