-- Whether the role may read the plans.
SELECT coalesce(pg_catalog.has_table_privilege(pg_catalog.to_regclass('sharded_id.standing_order'), 'SELECT'), false)
