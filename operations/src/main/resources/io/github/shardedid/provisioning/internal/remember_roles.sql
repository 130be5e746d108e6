-- Stores the roles. Parameters: their purposes, and their names.
INSERT INTO sharded_id.role AS r (purpose, name) SELECT p, cast(n AS name) FROM unnest(cast(? AS text[]), cast(? AS text[])) AS given (p,
  n) ON CONFLICT (purpose) DO UPDATE SET name = excluded.name WHERE r.name OPERATOR(pg_catalog.<>) excluded.name
