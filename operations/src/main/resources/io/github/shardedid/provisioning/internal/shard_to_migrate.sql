-- The state of a shard, its migrations, and what its schema contains; by pg_depend, because pg_class has no index on the schema.
-- Parameters: the shard, its schema.
SELECT s.state, s.migrations, CASE WHEN to_regclass(n.nspname || '.flyway_schema_history') IS NOT NULL THEN 'history'
  WHEN EXISTS (SELECT FROM pg_depend d JOIN pg_class c ON c.oid = d.objid
    WHERE d.refclassid = 'pg_namespace'::regclass AND d.refobjid = n.oid
    AND d.classid = 'pg_class'::regclass AND c.relname NOT IN ('sharded_id_lease', 'sharded_id_claim')) THEN 'filled' ELSE 'new' END
FROM sharded_id.shard s, pg_namespace n WHERE s.shard = ? AND n.nspname = ?
