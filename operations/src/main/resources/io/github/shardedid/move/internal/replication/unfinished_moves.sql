-- The moves that have not ended, those first whose shards are fenced.
SELECT m.*, coalesce(s.state = 'FENCED', false) AS fenced, m.changed < clock_timestamp() - interval '2 s' AS idle
FROM sharded_id.move m LEFT JOIN sharded_id.shard s USING (shard) WHERE m.step NOT IN ('DONE', 'ABORTED')
ORDER BY fenced DESC, m.started
