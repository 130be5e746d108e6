-- The sessions whose transactions have written, in any database of the server.
SELECT 'process ' || pid || coalesce(' (' || nullif(application_name, '') || ')', '') FROM pg_stat_activity
  WHERE backend_xid IS NOT NULL AND pid <> pg_backend_pid() ORDER BY xact_start
