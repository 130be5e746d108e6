SELECT p.direct, c.common, pg_catalog.current_setting('search_path'),
  pg_catalog.current_setting('standard_conforming_strings'),
  pg_catalog.current_setting('default_transaction_isolation') IN ('read committed', 'read uncommitted'),
  pg_catalog.current_setting('server_encoding') = 'UTF8',
  CASE WHEN p.direct THEN pg_catalog.set_config('search_path', c.common, false) END
FROM (SELECT %s AS common) c, (SELECT pg_catalog.pg_backend_pid() = %d AS direct) p
