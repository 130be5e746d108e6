-- The server, the user, and what there is of schema sharded_id.
SELECT current_setting('server_version_num')::int AS version, current_user AS me,
  (SELECT oid FROM pg_database WHERE datname = current_database()) || '@' || pg_postmaster_start_time()
  AS identity,
  coalesce(has_table_privilege(to_regclass('sharded_id.run'), 'SELECT'), false) AS journal,
  to_regclass('sharded_id.cluster') IS NOT NULL AND to_regclass('sharded_id.shard') IS NOT NULL AS meta
