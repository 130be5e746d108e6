-- Opens the new shards for new rows in two minutes.
UPDATE sharded_id.cluster SET grown = pg_catalog.clock_timestamp() WHERE grown IS NULL
