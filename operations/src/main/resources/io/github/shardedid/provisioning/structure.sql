-- The structure of some shards' schemas in lines, which are the same for the same structure: no oid, no schema's name.
WITH s AS MATERIALIZED (
  SELECT given.shard, n.oid, n.nspname, n.nspname || '.' AS prefix
  FROM unnest(?) given (shard)
  JOIN pg_namespace n ON n.nspname = 'shard_' || lpad(given.shard::text, greatest(4, length(given.shard::text)), '0')
), r AS MATERIALIZED (
  SELECT s.shard, s.prefix, c.oid, c.relname, c.relkind, c.relacl FROM s JOIN pg_class c ON c.relnamespace = s.oid
), line (shard, line) AS (
  SELECT shard, CASE relkind WHEN 'r' THEN 'table ' WHEN 'p' THEN 'partitioned table ' WHEN 'S' THEN 'sequence '
    WHEN 'v' THEN 'view ' WHEN 'm' THEN 'materialized view ' ELSE 'relation ' END || relname
    || CASE WHEN relkind IN ('v', 'm') THEN ' as ' || replace(pg_get_viewdef(oid), prefix, '') ELSE '' END
  FROM r WHERE relkind NOT IN ('i', 'I')
  UNION ALL
  SELECT shard, 'privileges on ' || relname || ' ' || relacl::text FROM r WHERE relacl IS NOT NULL
  UNION ALL
  SELECT shard, 'column ' || relname || '.' || attname || ' ' || replace(format_type(atttypid, atttypmod), prefix, '')
    || CASE WHEN attnotnull THEN ' not null' ELSE '' END || CASE attidentity WHEN '' THEN '' ELSE ' identity ' || attidentity::text END
    || coalesce(' default ' || replace(pg_get_expr(d.adbin, d.adrelid), prefix, ''), '')
  FROM r JOIN pg_attribute a ON a.attrelid = r.oid AND attnum > 0 AND NOT attisdropped
  LEFT JOIN pg_attrdef d ON d.adrelid = r.oid AND d.adnum = attnum WHERE relkind IN ('r', 'p', 'f')
  UNION ALL
  SELECT shard, 'index ' || r.relname || ': ' || replace(pg_get_indexdef(r.oid), prefix, '')
    || CASE WHEN indisvalid THEN '' ELSE ' (invalid)' END
  FROM r JOIN pg_index i ON i.indexrelid = r.oid WHERE relkind IN ('i', 'I')
  UNION ALL
  SELECT shard, 'constraint ' || conname || ' on ' || relname || ': ' || replace(pg_get_constraintdef(k.oid), prefix, '')
  FROM r JOIN pg_constraint k ON k.conrelid = r.oid WHERE contype <> 'n' AND conname <> 'sharded_id_check'
  UNION ALL
  SELECT shard, 'trigger ' || tgname || ' on ' || relname || ': ' || replace(pg_get_triggerdef(t.oid), prefix, '')
  FROM r JOIN pg_trigger t ON t.tgrelid = r.oid WHERE NOT tgisinternal
  UNION ALL
  SELECT shard, 'function ' || proname || '(' || replace(pg_get_function_identity_arguments(p.oid), prefix, '') || ') '
    || md5(replace(prosrc, prefix, ''))
  FROM s JOIN pg_proc p ON p.pronamespace = s.oid
  WHERE proname NOT IN ('next_id', 'next_ids', 'next_ids_after', 'lease_node', 'release_node')
  UNION ALL
  SELECT shard, 'type ' || typname || coalesce(' ' || (SELECT string_agg(enumlabel, ', ' ORDER BY enumsortorder)
    FROM pg_enum e WHERE e.enumtypid = t.oid), '')
  FROM s JOIN pg_type t ON t.typnamespace = s.oid WHERE typtype IN ('e', 'd')
)
