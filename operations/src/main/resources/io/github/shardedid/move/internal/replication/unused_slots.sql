-- In the global database: slots that are not in use and feed none of the given databases, each with the database that it fed. That is null
-- for slots of a former cluster: names contain the id of the cluster, slots belong to this database, and a database has one cluster.
SELECT slot_name, CASE WHEN own THEN database END
FROM (SELECT slot_name, active, r.database, slot_name = 'sharded_id_global_' || left(md5(c.cluster_id || '/' || r.database), 16) AS own
  FROM sharded_id.cluster c CROSS JOIN (sharded_id.replicated r FULL JOIN (SELECT slot_name, active FROM pg_replication_slots
    WHERE database = current_database() AND starts_with(slot_name, 'sharded_id_global_')) s USING (slot_name))) found
WHERE active IS NOT TRUE AND (own IS NOT TRUE OR database <> ALL (?))
