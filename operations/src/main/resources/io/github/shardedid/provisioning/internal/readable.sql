-- Whether the role may read what the database stores of its cluster.
SELECT bool_and(has_table_privilege(t, 'SELECT')) FROM unnest(ARRAY['sharded_id.cluster', 'sharded_id.shard']::regclass[]) t
