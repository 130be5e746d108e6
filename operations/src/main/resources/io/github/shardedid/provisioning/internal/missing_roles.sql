-- Those of the given roles that do not exist.
SELECT n FROM pg_catalog.unnest(cast(? AS pg_catalog.text[])) n WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_roles
  WHERE rolname = cast(n AS name))
