-- What the databases of a move must store alike.
SELECT cluster_id, jvm_nodes, current_setting('server_encoding') FROM sharded_id.cluster
