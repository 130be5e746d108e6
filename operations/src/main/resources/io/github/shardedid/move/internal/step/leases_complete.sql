-- Whether the source, whose schema is %1$s, has granted all leases itself since it was stamped.
SELECT server = sharded_id.lease_stamp(xmin) FROM %1$s.sharded_id_lease WHERE node = -1
