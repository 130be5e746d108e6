-- In schema sharded_id.
GRANT SELECT ON sharded_id.cluster, sharded_id.shard, sharded_id.move, sharded_id.standing_order TO shop_app, shop_reader, shop_mover;
GRANT SELECT ON SEQUENCE sharded_id.lock_secret TO shop_app;
GRANT EXECUTE ON FUNCTION sharded_id.next_id, sharded_id.hop, sharded_id.hop_from, sharded_id.next_ids, sharded_id.ids_of,
  sharded_id.next_id_block, sharded_id.next_ids_after, sharded_id.lock_number, sharded_id.readable, sharded_id.refuse,
  sharded_id.lease_node, sharded_id.release_node, sharded_id.claimant_transaction, sharded_id.claim_unique, sharded_id.take_claim,
  sharded_id.has_claimant_ended TO shop_app;
-- In the schema of each shard, and in that of the global entities.
GRANT USAGE ON SCHEMA shard_0001 TO shop_app, shop_reader;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA shard_0001 TO shop_app;
GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA shard_0001 TO shop_app;
GRANT SELECT ON ALL TABLES IN SCHEMA shard_0001 TO shop_reader;
REVOKE ALL ON shard_0001.sharded_id_lease FROM shop_app, shop_reader;
REVOKE INSERT, UPDATE, DELETE ON shard_0001.flyway_schema_history FROM shop_app;
-- For tables that later migrations make there.
ALTER DEFAULT PRIVILEGES IN SCHEMA shard_0001 GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO shop_app;
ALTER DEFAULT PRIVILEGES IN SCHEMA shard_0001 GRANT USAGE, SELECT, UPDATE ON SEQUENCES TO shop_app;
ALTER DEFAULT PRIVILEGES IN SCHEMA shard_0001 GRANT SELECT ON TABLES TO shop_reader;
