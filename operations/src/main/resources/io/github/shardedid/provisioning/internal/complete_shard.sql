-- A new shard, whose schema was created, has no leases, and is served.
INSERT INTO %s.sharded_id_lease (node, jvm_nodes, window_start, window_end, server)
  SELECT -1, jvm_nodes, 0, 0, sharded_id.lease_stamp() FROM sharded_id.cluster;
UPDATE sharded_id.shard SET state = 'ACTIVE' WHERE shard = %s
