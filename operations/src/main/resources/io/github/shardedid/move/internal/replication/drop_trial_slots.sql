-- Drops the temporary slots of this session. Parameter: the beginning of their names.
SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE starts_with(slot_name, ?) AND active_pid = pg_backend_pid()
