-- The privileges of other roles on a schema: statements that revoke them, and that grant them again.
SELECT format('REVOKE %s ON SCHEMA %I FROM %s CASCADE', privilege_type, nspname, role),
  format('GRANT %s ON SCHEMA %I TO %s', privilege_type, nspname, role) || CASE WHEN is_grantable THEN ' WITH GRANT OPTION' ELSE '' END
FROM (SELECT n.nspname, a.*, CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(g.rolname) END AS role
  FROM pg_namespace n CROSS JOIN LATERAL aclexplode(n.nspacl) a LEFT JOIN pg_roles g ON g.oid = a.grantee
  WHERE n.nspname = ? AND a.grantee <> n.nspowner) granted
ORDER BY role, privilege_type
