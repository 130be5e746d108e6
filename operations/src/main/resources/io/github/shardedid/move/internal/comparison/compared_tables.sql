-- The tables of a publication, except the move's marker. The key consists of columns that the replica identity adds to the log for updated
-- and deleted rows: those of the primary key or of the index chosen for it, or of any unique index if it is FULL.
SELECT p.tablename,
  (SELECT coalesce(pg_catalog.array_agg(a.attname::text ORDER BY a.attnum), '{}') FROM pg_attribute a
   WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
  coalesce(k.names, '{}') AS names, coalesce(k.types, '{}') AS types
FROM pg_publication_tables p
  JOIN pg_namespace n ON n.nspname = p.schemaname JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = p.tablename
  LEFT JOIN LATERAL (
    SELECT pg_catalog.array_agg(a.attname::text ORDER BY u.n) AS names,
      pg_catalog.array_agg(pg_catalog.format_type(a.atttypid, a.atttypmod) ORDER BY u.n) AS types
    FROM pg_index i CROSS JOIN pg_catalog.unnest(i.indkey) WITH ORDINALITY AS u(attnum, n)
      JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = u.attnum
    WHERE i.indrelid = c.oid AND u.n <= i.indnkeyatts AND i.indisunique AND i.indimmediate AND i.indisvalid
      AND i.indpred IS NULL AND i.indexprs IS NULL
      AND CASE c.relreplident WHEN 'd' THEN i.indisprimary WHEN 'i' THEN i.indisreplident ELSE true END
    GROUP BY i.indexrelid, i.indisprimary HAVING bool_and(a.attnotnull)
    ORDER BY i.indisprimary DESC, count(*), i.indexrelid LIMIT 1) k ON true
WHERE p.pubname = cast(? AS name) AND p.schemaname = cast(? AS name) AND p.tablename <> 'sharded_id_move_marker'
ORDER BY p.tablename
