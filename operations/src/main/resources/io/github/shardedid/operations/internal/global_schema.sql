-- The schema of the global entities, whether it exists, and its migrations.
SELECT schema_name, pg_catalog.to_regnamespace(schema_name) IS NOT NULL, migrations FROM sharded_id.global_schema
