-- Whether there is a slot of this name that has not lost its log.
SELECT EXISTS (SELECT FROM pg_replication_slots WHERE slot_name = ? AND database = current_database()
  AND coalesce(wal_status, '') <> 'lost')
