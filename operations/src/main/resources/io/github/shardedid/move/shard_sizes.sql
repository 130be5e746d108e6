-- Of each shard whose schema is there, the bytes of its tables with their indexes and large values.
SELECT pg_catalog.substr(n.nspname::pg_catalog.text, 7)::int AS shard,
  coalesce(pg_catalog.sum(pg_catalog.pg_total_relation_size(c.oid)), 0) AS bytes FROM
  pg_catalog.pg_namespace n LEFT JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relkind IN ('r', 'm', 'S')
  WHERE n.nspname OPERATOR(pg_catalog.~) '^shard_[0-9]{4,9}$' GROUP BY 1
