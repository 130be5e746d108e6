-- Gives shards to the database, which does not know them yet.
INSERT INTO sharded_id.shard (shard, state) SELECT cast(n AS int), 'CREATING' FROM pg_catalog.unnest(cast(? AS pg_catalog.text[])) n
