-- The functions of schemas that need a search path of their own. By pg_depend, because pg_proc has no index on the schema.
SELECT format('%I.%I(%s)', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid)) AS function,
  n.nspname || ', ' || c.common || t.last AS path, own.path AS own_path,
  pg_has_role(p.proowner, 'USAGE') AS owned
FROM pg_namespace n
  JOIN pg_depend d ON d.refclassid = 'pg_namespace'::regclass AND d.refobjid = n.oid AND d.classid = 'pg_proc'::regclass
  JOIN pg_proc p ON p.oid = d.objid
  JOIN pg_language l ON l.oid = p.prolang
  CROSS JOIN (SELECT ${common} AS common) c
  CROSS JOIN LATERAL (SELECT CASE WHEN p.prosecdef THEN ', pg_temp' ELSE '' END AS last) t
  LEFT JOIN LATERAL (SELECT regexp_replace(regexp_replace(substr(s, 13), '"([a-z0-9_]+)"', '\1', 'g'), ' *, *', ', ', 'g') AS path
    FROM unnest(p.proconfig) s WHERE s LIKE 'search_path=%') own ON true
WHERE ${schemas} AND p.prokind <> 'a' AND l.lanname NOT IN ('internal', 'c') AND NOT (l.lanname = 'sql' AND p.prosrc = '')
  AND NOT (p.prokind = 'p' AND p.prosrc ~* '\m(commit|rollback)\M')
  AND NOT (p.proname IN ('next_id', 'next_ids', 'next_ids_after', 'lease_node', 'release_node')
    AND l.lanname = 'sql' AND p.prosrc LIKE '%sharded\_id.%')
  AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.classid = 'pg_proc'::regclass AND e.objid = p.oid AND e.deptype = 'e')
  AND (own.path IS NULL OR own.path || ',' LIKE n.nspname || ',%' AND own.path <> n.nspname || ', ' || c.common || t.last
    OR own.path ~ 'shard_[0-9]{4,}' AND own.path || ',' NOT LIKE n.nspname || ',%')
