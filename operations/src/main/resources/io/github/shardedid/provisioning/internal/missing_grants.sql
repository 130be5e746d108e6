-- The other owners of the cluster's schemas, and what grants their rights, and CREATE if they have not got it either.
WITH other AS (
  SELECT DISTINCT n.nspowner AS oid, pg_get_userbyid(n.nspowner) AS name, pg_has_role(n.nspowner, 'MEMBER') AS member
  FROM pg_namespace n WHERE (n.nspname = 'sharded_id' OR n.nspname ~ '^shard_[0-9]+$') AND NOT pg_has_role(n.nspowner, 'USAGE')
)
SELECT (SELECT string_agg(quote_ident(name), ', ' ORDER BY name) FROM other),
  (SELECT format('GRANT %s TO %I', string_agg(quote_ident(name), ', ' ORDER BY name), current_user)
    || CASE WHEN bool_or(member) AND current_setting('server_version_num')::int >= 160000 THEN ' WITH INHERIT TRUE' ELSE '' END
    FROM other HAVING count(*) > 0),
  CASE WHEN NOT has_database_privilege(current_database(), 'CREATE')
    AND NOT EXISTS (SELECT FROM other WHERE has_database_privilege(oid, current_database(), 'CREATE'))
    THEN format('GRANT CREATE ON DATABASE %I TO %I', current_database(), current_user) END
