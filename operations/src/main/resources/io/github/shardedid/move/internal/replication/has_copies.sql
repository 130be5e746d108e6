-- Whether the database has copies of tables.
SELECT EXISTS (SELECT FROM pg_trigger WHERE tgname = 'sharded_id_replicated')
