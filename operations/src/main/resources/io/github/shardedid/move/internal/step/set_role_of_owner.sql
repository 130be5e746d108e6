-- Acts as the owner of schema sharded_id, if that is another role.
SELECT set_config('role', pg_get_userbyid(nspowner), false) FROM pg_namespace
  WHERE nspname = 'sharded_id' AND pg_get_userbyid(nspowner) <> current_user
