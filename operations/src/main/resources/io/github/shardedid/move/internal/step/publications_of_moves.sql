-- The publications of moves of a shard.
SELECT quote_ident(pubname) FROM pg_publication WHERE pubname ~ ('^sharded_id_move_' || ? || '_[0-9a-f]+$')
