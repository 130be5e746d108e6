-- The schema of a shard, and those of its fenced copies, the one that was fenced last first.
SELECT n.nspname FROM pg_namespace n, (SELECT ?::text AS name) own WHERE n.nspname = own.name OR n.nspname ~ ('^' || own.name || '_fenced_[0-9]+$')
  ORDER BY n.nspname = own.name DESC, length(n.nspname) DESC, n.nspname DESC
