-- The bytes of log that the reader of a slot has not confirmed; -1 if there is no such slot.
SELECT coalesce((SELECT pg_current_wal_lsn() - confirmed_flush_lsn FROM pg_replication_slots WHERE slot_name = ?), -1)
