WITH code AS MATERIALIZED (
  SELECT p.oid, p.proname, CASE WHEN p.prosqlbody IS NULL THEN p.prosrc
    ELSE pg_catalog.pg_get_function_sqlbody(p.oid) END AS body
  FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) p.pronamespace
  WHERE p.prolang OPERATOR(pg_catalog.<>) ALL ('{12,13}'::pg_catalog.oid[])
    AND n.nspname OPERATOR(pg_catalog.<>) ALL ('{pg_catalog,information_schema,sharded_id}'::pg_catalog.name[])
), setting AS MATERIALIZED (
  SELECT * FROM code WHERE body OPERATOR(pg_catalog.~*) 'set_config|set\s+local'
), named AS MATERIALIZED (
  SELECT pg_catalog.replace(pg_catalog.lower(m[1]), '"', '') AS n FROM setting, pg_catalog.regexp_matches(body,
    '(?:set_config\s*\(\s*''|set\s+local\s+)([a-z_"][\w$"]*\.[\w$."]+)', 'gi') m
), called AS (
  SELECT pg_catalog.lower(?) AS text
)
SELECT 'value', n, pg_catalog.current_setting(n, true) FROM (
  SELECT n FROM %s n
  UNION SELECT s.name FROM pg_catalog.pg_settings s WHERE s.source OPERATOR(pg_catalog.=) 'session'
  UNION SELECT 'role'
  UNION SELECT n FROM named WHERE pg_catalog.current_setting(n, true) OPERATOR(pg_catalog.<>) '') names WHERE %s
UNION ALL
SELECT 'computing', s.oid::pg_catalog.regprocedure::pg_catalog.text, NULL FROM setting s, called
WHERE s.body OPERATOR(pg_catalog.~*) 'set_config\s*\((?!\s*''[^'']*''(::text)?\s*,)|set\s+local\s+[^a-z_"\s]' AND (
  pg_catalog.strpos(called.text, pg_catalog.lower(s.proname::pg_catalog.text)) OPERATOR(pg_catalog.>) 0
  OR EXISTS (SELECT FROM pg_catalog.pg_trigger t
    JOIN pg_catalog.pg_class c ON c.oid OPERATOR(pg_catalog.=) t.tgrelid
    WHERE t.tgfoid OPERATOR(pg_catalog.=) s.oid AND pg_catalog.strpos(called.text, pg_catalog.lower(c.relname::pg_catalog.text))
      OPERATOR(pg_catalog.>) 0))
UNION ALL
SELECT 'any', NULL, NULL FROM setting
