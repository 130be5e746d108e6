-- Records the current session. Parameters: class and number of the purpose, number of the advisory lock.
INSERT INTO sharded_id.session_lock (class, purpose, holder, number, started) VALUES
  (?, ?, pg_catalog.pg_backend_pid(), ?, coalesce((SELECT a.backend_start FROM pg_catalog.pg_stat_activity a
  WHERE a.pid = pg_catalog.pg_backend_pid()), '-infinity')) ON CONFLICT (class, purpose) DO UPDATE
  SET holder = excluded.holder, number = excluded.number, started = excluded.started
