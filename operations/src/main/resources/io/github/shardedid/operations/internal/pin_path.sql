-- Sets a path of PostgreSQL's own schema only. The session remembers what it was.
SELECT pg_catalog.set_config('sharded_id.search_path', pg_catalog.current_setting('search_path'), false),
  pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', false)
