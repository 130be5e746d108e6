-- Ends the session that uses the slot, if there is one. Parameter: the slot.
SELECT pg_terminate_backend(active_pid, 5000) FROM pg_replication_slots
WHERE slot_name = ? AND database = current_database() AND active_pid IS NOT NULL
