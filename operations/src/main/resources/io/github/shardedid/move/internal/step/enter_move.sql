-- The journal of a move begins.
INSERT INTO sharded_id.move (id, shard, source, target, generation, offline, step) VALUES (?, ?, ?, ?, ?, ?, 'PREPARE')
