 FROM sharded_id.session_lock l
JOIN pg_catalog.pg_locks p ON p.pid = l.holder AND p.objid = cast(l.number AS pg_catalog.oid)
  AND p.classid = cast(l.class AS pg_catalog.oid)
JOIN pg_catalog.pg_stat_activity a ON a.pid = p.pid
WHERE l.class = %s AND l.purpose = %s AND p.locktype = 'advisory' AND p.granted AND p.objsubid = 2
  AND p.pid <> pg_catalog.pg_backend_pid()
  AND p.database = (SELECT d.oid FROM pg_catalog.pg_database d WHERE d.datname = pg_catalog.current_database())
  AND pg_catalog.pg_has_role(a.usesysid, (SELECT c.relowner FROM pg_catalog.pg_class c
    WHERE c.oid = cast('sharded_id.session_lock' AS pg_catalog.regclass)), 'MEMBER')
  AND l.started IN ('-infinity', coalesce(a.backend_start, l.started))
