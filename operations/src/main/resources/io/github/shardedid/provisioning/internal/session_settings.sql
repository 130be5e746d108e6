-- A digest of what this session has set.
SELECT md5(string_agg(name || setting, ',' ORDER BY name)) FROM pg_settings WHERE source = 'session' AND name <> 'search_path'
