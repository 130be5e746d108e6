-- The sessions with locks on the relations of a schema.
SELECT CASE WHEN l.pid IS NULL THEN 'a prepared transaction' ELSE 'process ' || l.pid
  || coalesce(' (' || nullif(a.application_name, '') || ')', '') || coalesce(', ' || a.state, '')
  || coalesce(', for ' || round(extract(epoch FROM clock_timestamp() - a.xact_start)) || ' s', '') END
FROM pg_locks l LEFT JOIN pg_stat_activity a ON a.pid = l.pid
WHERE l.granted AND l.locktype = 'relation' AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND l.pid IS DISTINCT FROM pg_backend_pid() AND l.relation IN (SELECT c.oid FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ? AND c.relkind IN ('r', 'p', 'S'))
GROUP BY 1 ORDER BY 1
