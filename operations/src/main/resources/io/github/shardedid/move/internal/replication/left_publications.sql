-- The publications of trials whose process has died.
SELECT quote_ident(p.pubname) FROM pg_publication p WHERE starts_with(p.pubname, 'sharded_id_probe_') AND pg_has_role(p.pubowner, 'USAGE')
  AND NOT EXISTS (SELECT FROM pg_stat_activity a WHERE a.pid::text = substring(p.pubname FROM '_([0-9]+)$') AND a.datname =
  current_database())
