-- The path as Flyway sets it before each script.
SELECT pg_catalog.set_config('search_path', concat_ws(', ', '%s', nullif(current_setting('search_path'), '')), false)
