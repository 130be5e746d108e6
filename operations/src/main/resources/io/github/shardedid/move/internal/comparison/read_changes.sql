-- The changes in a slot. Parameters: slot, position up to which it is read, number of changes, publication.
SELECT data FROM pg_logical_slot_get_binary_changes(?, ?::pg_lsn, ?, 'proto_version', '1', 'publication_names', quote_ident(?))
