-- The target, whose schema is %1$s, grants leases at once if it has all those of the source. Parameter: whether it has.
UPDATE %1$s.sharded_id_lease SET server = CASE WHEN ? THEN sharded_id.lease_stamp() END WHERE node = -1
