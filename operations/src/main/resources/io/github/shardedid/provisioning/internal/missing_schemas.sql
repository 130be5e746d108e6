-- Those of the given schemas that do not exist.
SELECT n FROM pg_catalog.unnest(cast(? AS pg_catalog.text[])) n WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_namespace
  WHERE nspname = cast(n AS pg_catalog.name))
