-- The tables of a publication, except the move's marker: name, and the SQL of a hash of a row t; of the key, the names of the columns, the
-- columns of a row t, these as texts, parameters that are compared with them, and a join with lists of texts. The key consists of columns
-- that the replica identity adds to the log for updated and deleted rows: those of the primary key or of the index chosen for it, or of
-- any unique index if it is FULL.
SELECT p.tablename,
  (SELECT 'pg_catalog.hashtextextended(ROW(' || coalesce(pg_catalog.string_agg(pg_catalog.format('t.%I', a.attname), ', ' ORDER BY a.attnum), '')
    || ')::text COLLATE pg_catalog."C", 0)'
   FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
  coalesce(k.names, '{}'), k.columns, k.texts, k.parameters,
  pg_catalog.format(' JOIN unnest(%s) WITH ORDINALITY AS i(%s, n) ON %s', k.lists, k.numbers, k.equal)
FROM pg_publication_tables p
  JOIN pg_namespace n ON n.nspname = p.schemaname JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = p.tablename
  LEFT JOIN LATERAL (
    SELECT pg_catalog.array_agg(a.attname::text ORDER BY u.n) AS names,
      pg_catalog.string_agg(pg_catalog.format('t.%I', a.attname), ', ' ORDER BY u.n) AS columns,
      pg_catalog.string_agg(pg_catalog.format('t.%I::text', a.attname), ', ' ORDER BY u.n) AS texts,
      pg_catalog.string_agg('?::' || pg_catalog.format_type(a.atttypid, a.atttypmod), ', ' ORDER BY u.n) AS parameters,
      pg_catalog.string_agg('?::text[]', ', ') AS lists,
      pg_catalog.string_agg('k' || u.n, ', ' ORDER BY u.n) AS numbers,
      pg_catalog.string_agg(pg_catalog.format('t.%I = i.k%s::%s', a.attname, u.n, pg_catalog.format_type(a.atttypid, a.atttypmod)), ' AND '
        ORDER BY u.n) AS equal
    FROM pg_index i CROSS JOIN pg_catalog.unnest(i.indkey) WITH ORDINALITY AS u(attnum, n)
      JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = u.attnum
    WHERE i.indrelid = c.oid AND u.n <= i.indnkeyatts AND i.indisunique AND i.indimmediate AND i.indisvalid
      AND i.indpred IS NULL AND i.indexprs IS NULL
      AND CASE c.relreplident WHEN 'd' THEN i.indisprimary WHEN 'i' THEN i.indisreplident ELSE true END
    GROUP BY i.indexrelid, i.indisprimary HAVING bool_and(a.attnotnull)
    ORDER BY i.indisprimary DESC, count(*), i.indexrelid LIMIT 1) k ON true
WHERE p.pubname = cast(? AS name) AND p.schemaname = cast(? AS name) AND p.tablename <> 'sharded_id_move_marker'
ORDER BY p.tablename
