-- The columns that lack a constraint on their ids, with a statement that adds it: by operators, since PostgreSQL would plan a function again
-- for each statement, which doubles the cost of an insert. By pg_depend, because the text of a default waits for locks of the table. Constraints are
-- found by their tables, and functions by their oid: thousands of shards have the same names.
WITH declared AS MATERIALIZED (
  SELECT * FROM ROWS FROM (pg_catalog.unnest(?::pg_catalog.name[]), pg_catalog.unnest(?::pg_catalog.name[])) d (tab, col)
), found AS (
  SELECT s.shard, n.oid AS schema, n.nspname, c.oid AS tab, c.relname, c.relowner, c.relpages, a.attnum, a.attname,
    a.attnum = i.indkey[0] AS is_key,
    'sharded_id_check' || CASE WHEN a.attnum = i.indkey[0] THEN ''
      WHEN pg_catalog.octet_length(a.attname::text) > 46 THEN '_' || pg_catalog.md5(a.attname::text)
      ELSE '_' || a.attname END AS name
  FROM sharded_id.shard s
  JOIN pg_catalog.pg_namespace n
    ON n.nspname = 'shard_' || pg_catalog.lpad(s.shard::text, greatest(4, pg_catalog.length(s.shard::text)), '0')
  JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  LEFT JOIN pg_catalog.pg_index i ON i.indrelid = c.oid AND i.indisprimary AND i.indnkeyatts = 1
  JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND a.attidentity = ''
    AND a.atttypid IN ('pg_catalog.int8'::pg_catalog.regtype, 'pg_catalog.int4'::pg_catalog.regtype)
  WHERE s.state = 'ACTIVE'
    AND (a.attnum = i.indkey[0] OR EXISTS (SELECT FROM declared d WHERE d.tab = c.relname AND d.col = a.attname))
)
SELECT f.shard, pg_catalog.format('%I.%I', f.nspname, f.relname), pg_catalog.quote_ident(f.attname), pg_catalog.quote_ident(f.name),
  pg_catalog.format('ALTER TABLE %I.%I ADD CONSTRAINT %I CHECK (%I%s AND (%4$I >> %6$s & %7$s) = %8$s)', f.nspname, f.relname, f.name, f.attname,
    CASE WHEN y.timestamp_bits + y.shard_bits + y.sequence_bits = 32 THEN ' BETWEEN 0 AND 2147483647' ELSE ' >= 0' END,
    y.sequence_bits, (1 << y.shard_bits) - 1, f.shard),
  pg_catalog.pg_has_role(f.relowner, 'USAGE'), f.relpages <= ?
FROM found f, sharded_id.cluster y
WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_constraint k WHERE k.conrelid = f.tab AND k.conname::text = f.name)
  AND CASE
    WHEN EXISTS (SELECT FROM declared d WHERE d.tab = f.relname AND d.col = f.attname) THEN
      f.is_key IS TRUE OR NOT EXISTS (SELECT FROM pg_catalog.pg_constraint r
        JOIN pg_catalog.pg_class t ON t.oid = r.confrelid AND t.relnamespace = f.schema
        WHERE r.conrelid = f.tab AND r.contype = 'f' AND r.conkey = ARRAY[f.attnum]
          AND coalesce(pg_catalog.to_jsonb(r) ->> 'conenforced', 'true') = 'true')
    WHEN EXISTS (SELECT FROM pg_catalog.pg_attrdef d WHERE d.adrelid = f.tab AND d.adnum = f.attnum) THEN
      EXISTS (SELECT FROM pg_catalog.pg_attrdef d
        JOIN pg_catalog.pg_depend p ON p.classid = 'pg_catalog.pg_attrdef'::pg_catalog.regclass AND p.objid = d.oid
          AND p.refclassid = 'pg_catalog.pg_proc'::pg_catalog.regclass
        JOIN pg_catalog.pg_proc g ON g.oid = p.refobjid AND g.proname::text = 'next_id'
        WHERE d.adrelid = f.tab AND d.adnum = f.attnum)
    ELSE EXISTS (SELECT FROM pg_catalog.pg_class q JOIN pg_catalog.pg_sequence v ON v.seqrelid = q.oid
      WHERE q.relnamespace = f.schema AND q.relname = f.relname || '_' || f.attname || '_seq' AND v.seqmin = 0) END
ORDER BY 1, 2, 3
