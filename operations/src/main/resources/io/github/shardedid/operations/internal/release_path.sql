-- Sets the path that was there before.
SELECT pg_catalog.set_config('search_path', pg_catalog.current_setting('sharded_id.search_path', true), false)
