-- What the current role lacks in its database, and what grants it. The mover also acts as the owner of the cluster; memberships have
-- options since PostgreSQL 16. Parameters: the shard's schema, three times.
WITH me AS (SELECT quote_ident(current_user) AS role, current_setting('server_version_num')::int / 10000 AS major),
needed AS (
  SELECT 'schema ' || nspname AS object, nspowner AS owner FROM pg_namespace
    WHERE nspname IN (?, 'sharded_id') OR nspname ~ ('^' || ? || '_fenced_[0-9]+$')
  UNION ALL SELECT 'table ' || c.oid::regclass, relowner FROM pg_class c
    WHERE c.oid IN (to_regclass('sharded_id.shard'), to_regclass('sharded_id.move'))
      OR relkind IN ('r', 'p') AND relnamespace = to_regnamespace(?))
SELECT role || ' may not create schemas, publications or subscriptions. Run GRANT CREATE ON DATABASE '
    || quote_ident(current_database()) || ' TO ' || role FROM me
  WHERE NOT has_database_privilege(current_database(), 'CREATE')
UNION ALL SELECT role || ' does not own ' || string_agg(object, ', ' ORDER BY object) || '. Run GRANT '
    || quote_ident(pg_get_userbyid(owner)) || ' TO ' || role || CASE WHEN major >= 16
    AND pg_has_role(owner, 'MEMBER') THEN ' WITH INHERIT TRUE, SET TRUE' ELSE '' END FROM needed, me
  WHERE NOT (pg_has_role(owner, 'USAGE') AND pg_has_role(owner, CASE WHEN major >= 16 THEN 'SET' ELSE 'MEMBER' END))
  GROUP BY owner, role, major
