-- Whether the role has the rights of the owner of a table; false if there is no such table.
SELECT coalesce((SELECT pg_catalog.pg_has_role(c.relowner, 'USAGE') FROM pg_catalog.pg_class c
  WHERE c.oid OPERATOR(pg_catalog.=) pg_catalog.to_regclass(?)), false)
