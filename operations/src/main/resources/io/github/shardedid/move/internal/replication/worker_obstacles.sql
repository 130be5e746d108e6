-- Why the workers of a subscription would not start or copy. The server starts them as the role that owns the subscription, also if it
-- cannot log in.
WITH me AS (SELECT quote_ident(current_user) AS role)
SELECT role || ' may not log in, as which the workers of a subscription run. Run ALTER ROLE ' || role
    || ' LOGIN (without a password, nobody else logs in as this role).' FROM me
  WHERE NOT (SELECT rolcanlogin FROM pg_roles WHERE rolname = current_user)
UNION ALL SELECT role || ' may not connect to the database, as which the workers of a subscription run.'
    || ' Run GRANT CONNECT ON DATABASE ' || quote_ident(current_database()) || ' TO ' || role || '.' FROM me
  WHERE NOT has_database_privilege(current_database(), 'CONNECT')
UNION ALL SELECT name || ' is 0, so that no table is copied.' FROM pg_settings WHERE setting = '0'
  AND name IN ('max_sync_workers_per_subscription', 'max_logical_replication_workers')
