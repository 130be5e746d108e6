-- For each sequence of a schema, a statement that reads it: name, name in SQL, whether it ascends, statements after which it has no next
-- value, statements that undo that, its last value, whether that was returned, and the largest value of the columns that it numbers, if
-- indexes find that. Of ids, one of the far future, inserted by hand, must not use up the time of the layout. The sequences of a fenced
-- copy have bounds that end them.
SELECT format('SELECT %L::text, %L::text, %L::boolean, %L || b.last || %L || b.last || '', true)'','
  ' %L || s.last_value || '', '' || s.is_called || '')'', s.last_value, s.is_called, %s'
  ' FROM %2$s s, LATERAL (SELECT %8$s AS last) b',
  c.relname, format('%I.%I', n.nspname, c.relname), s.seqincrement > 0,
  format('ALTER SEQUENCE %I.%I %s ', n.nspname, c.relname, CASE WHEN s.seqincrement > 0 THEN 'MAXVALUE' ELSE 'MINVALUE' END),
  format(E' NO CYCLE;\nSELECT setval(%L, ', format('%I.%I', n.nspname, c.relname)),
  format(E'ALTER SEQUENCE %I.%I %s%s;\nSELECT setval(%L, ', n.nspname, c.relname,
    CASE WHEN s.seqincrement > 0 THEN 'MAXVALUE ' || s.seqmax ELSE 'MINVALUE ' || s.seqmin END,
    CASE WHEN s.seqcycle THEN ' CYCLE' ELSE '' END, format('%I.%I', n.nspname, c.relname)),
  coalesce('greatest(' || (
    SELECT string_agg(format('(SELECT max(%1$I)::bigint FROM %2$s WHERE %1$I <= %3$s)', a.attname, t.oid::regclass,
      CASE WHEN EXISTS (SELECT FROM pg_attrdef x WHERE x.adrelid = t.oid AND x.adnum = a.attnum
          AND pg_get_expr(x.adbin, x.adrelid) LIKE '%next_id%')
        THEN 'sharded_id.encode(sharded_id.timestamp_of(clock_timestamp() + interval ''1 hour''), 0, 0)'
        WHEN n.nspname LIKE '%\_fenced\_%' THEN '9223372036854775807' ELSE quote_literal(s.seqmax) || '::bigint' END), ', ')
    FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid
    WHERE t.relkind IN ('r', 'p') AND a.atttypid IN ('int2'::regtype, 'int4'::regtype, 'int8'::regtype)
      AND (t.oid, a.attnum) IN (
        SELECT ad.adrelid, ad.adnum FROM pg_attrdef ad JOIN pg_depend d ON d.classid = 'pg_attrdef'::regclass AND d.objid = ad.oid
        WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = c.oid
        UNION SELECT d.refobjid, d.refobjsubid FROM pg_depend d
        WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype IN ('a', 'i'))
      AND EXISTS (SELECT FROM pg_index i WHERE i.indrelid = t.oid AND i.indisvalid AND i.indpred IS NULL AND i.indkey[0] = a.attnum)
  ) || ')', 'NULL::bigint'),
  format(CASE WHEN s.seqincrement > 0 THEN 'greatest(s.last_value, %L::bigint, %L::bigint)' ELSE 'least(s.last_value, %L::bigint, %L::bigint)' END,
    s.seqstart, CASE WHEN s.seqincrement > 0 THEN s.seqmin + 1 ELSE s.seqmax - 1 END))
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_sequence s ON s.seqrelid = c.oid WHERE n.nspname = ? ORDER BY c.relname
