-- Begins a plan.
INSERT INTO sharded_id.standing_order (kind, subject, target, offline, total) VALUES (?, ?, ?, ?, ?) RETURNING *
