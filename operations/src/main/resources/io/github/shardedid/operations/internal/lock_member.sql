-- Whether the role is a member of the owner of the locks.
SELECT pg_catalog.pg_has_role(session_user, c.relowner, 'MEMBER') FROM pg_catalog.pg_class c WHERE c.oid = cast('sharded_id.session_lock'
  AS pg_catalog.regclass)
