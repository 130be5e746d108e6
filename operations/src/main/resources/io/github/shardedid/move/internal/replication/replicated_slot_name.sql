-- The name of the slot of a database.
SELECT 'sharded_id_global_' || left(md5(cluster_id || '/' || ?), 16) FROM sharded_id.cluster
