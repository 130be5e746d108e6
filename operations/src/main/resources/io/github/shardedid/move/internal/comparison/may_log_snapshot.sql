-- Whether the role may log which transactions are running.
SELECT EXISTS (SELECT FROM pg_proc WHERE proname = 'pg_log_standby_snapshot' AND pronamespace = 'pg_catalog'::regnamespace AND
  has_function_privilege(oid, 'EXECUTE'))
