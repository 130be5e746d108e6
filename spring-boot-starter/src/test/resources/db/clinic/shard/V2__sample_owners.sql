-- Ids up to 1023 are of shard 0. The script runs in every shard: only there has it rows to insert.
INSERT INTO owners (id, last_name)
SELECT id, last_name
FROM (VALUES (1, 'Franklin'), (2, 'Davis'), (3, 'Davis')) AS sample (id, last_name)
WHERE current_schema = 'shard_0000';
