SELECT pg_catalog.concat('process ', a.pid, ' of role ', a.usename,
  ' (' OPERATOR(pg_catalog.||) nullif(a.application_name, '') OPERATOR(pg_catalog.||) ')', ' from ',
  coalesce(pg_catalog.host(a.client_addr), 'the server itself'))
