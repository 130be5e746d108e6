-- A role that is not a member of the owner of the cluster's schemas, and that owner. Parameter: the role.
SELECT pg_catalog.quote_ident(m.rolname),
  pg_catalog.quote_ident(o.rolname) FROM pg_catalog.pg_roles m, pg_catalog.pg_roles o
  WHERE m.rolname = cast(? AS pg_catalog.name) AND o.oid = coalesce((SELECT n.nspowner
  FROM pg_catalog.pg_namespace n WHERE n.nspname = 'sharded_id'), (SELECT c.oid FROM pg_catalog.pg_roles c WHERE c.rolname = current_user))
  AND NOT pg_catalog.pg_has_role(m.oid, o.oid, 'MEMBER')
