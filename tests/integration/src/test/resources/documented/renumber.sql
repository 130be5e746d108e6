-- Every old row gets an id of its own time, in the shard of its user.
CREATE SCHEMA renumbered;

CREATE TABLE renumbered.users AS
SELECT old, shard, sharded_id.encode(stamp, shard, (row_number() OVER (PARTITION BY shard, stamp ORDER BY old) - 1)::int) AS id
FROM (SELECT u.id AS old, sharded_id.shard_of_key(u.id) AS shard, sharded_id.timestamp_of(u.created_at) AS stamp
      FROM public.users u) numbered;
CREATE UNIQUE INDEX ON renumbered.users (old);
CREATE INDEX ON renumbered.users (shard);

CREATE TABLE renumbered.photo AS
SELECT old, shard, sharded_id.encode(stamp, shard, (row_number() OVER (PARTITION BY shard, stamp ORDER BY old) - 1)::int) AS id
FROM (SELECT p.id AS old, a.shard, sharded_id.timestamp_of(p.created_at) AS stamp
      FROM public.photo p JOIN renumbered.users a ON a.old = p.author_id) numbered;
CREATE UNIQUE INDEX ON renumbered.photo (old);
CREATE INDEX ON renumbered.photo (shard);
ANALYZE renumbered.users, renumbered.photo;

-- The rows go to their shards.
DO $$
DECLARE s record;
BEGIN
  FOR s IN SELECT shard, 'shard_' || lpad(shard::text, 4, '0') AS name FROM sharded_id.shard LOOP
    EXECUTE format(
      'INSERT INTO %I.users (id, old_id, name) SELECT n.id, u.id, u.name
       FROM renumbered.users n JOIN public.users u ON u.id = n.old WHERE n.shard = %s', s.name, s.shard);
    EXECUTE format(
      'INSERT INTO %I.photo (id, author_id, caption) SELECT n.id, a.id, p.caption
       FROM renumbered.photo n JOIN public.photo p ON p.id = n.old
       JOIN renumbered.users a ON a.old = p.author_id WHERE n.shard = %s', s.name, s.shard);
    COMMIT; -- a transaction for each shard: all tables of all shards would need too many locks
  END LOOP;
END $$;
