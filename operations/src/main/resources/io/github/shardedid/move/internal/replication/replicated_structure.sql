-- What a copy of a table has in common with the original, in the order in which it is made: columns, the primary key, what makes queries
-- fast, and who reads it. Defaults, identities, checks and foreign keys are of the original only, as it alone is written.
-- Parameters: the schema; the names of the tables. The search path is pg_catalog, so that names have their schemas.
WITH rel AS (
  SELECT c.* FROM pg_class c WHERE c.relnamespace = to_regnamespace(?) AND c.relname = ANY (?) AND c.relkind = 'r'
), found (tab, ordinal, kind, name, definition) AS (
  SELECT rel.relname, a.attnum::int, CASE a.attgenerated WHEN '' THEN 'column' ELSE 'generated' END, quote_ident(a.attname),
    format_type(a.atttypid, a.atttypmod)
    || CASE WHEN a.attcollation <> t.typcollation THEN ' COLLATE ' || a.attcollation::regcollation ELSE '' END
    || CASE a.attgenerated WHEN '' THEN '' ELSE ' GENERATED ALWAYS AS (' || pg_get_expr(d.adbin, d.adrelid) || ') '
       || CASE a.attgenerated WHEN 's' THEN 'STORED' ELSE 'VIRTUAL' END END
  FROM rel JOIN pg_attribute a ON a.attrelid = rel.oid AND a.attnum > 0 AND NOT a.attisdropped JOIN pg_type t ON t.oid = a.atttypid
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  -- The columns of the key stand in its definition; they are needed on their own, too.
  UNION ALL SELECT rel.relname, 10000, 'key', (SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY array_position(k.conkey, a.attnum))
      FROM pg_attribute a WHERE a.attrelid = rel.oid AND a.attnum = ANY (k.conkey)), pg_get_constraintdef(k.oid)
    FROM rel JOIN pg_constraint k ON k.conrelid = rel.oid AND k.contype = 'p' WHERE rel.relreplident <> 'n'
  UNION ALL SELECT rel.relname, 10001, 'constraint', quote_ident(k.conname), pg_get_constraintdef(k.oid)
    FROM rel JOIN pg_constraint k ON k.conrelid = rel.oid AND k.contype = 'u'
  UNION ALL SELECT rel.relname, 10002, 'index', quote_ident(i.relname), pg_get_indexdef(i.oid)
    FROM rel JOIN pg_index x ON x.indrelid = rel.oid AND x.indisvalid JOIN pg_class i ON i.oid = x.indexrelid
    WHERE NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.oid AND k.conrelid = rel.oid)
  UNION ALL SELECT DISTINCT rel.relname, 10003, 'reader', CASE x.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(x.grantee)) END, ''
    FROM rel CROSS JOIN LATERAL aclexplode(rel.relacl) x WHERE x.privilege_type = 'SELECT' AND x.grantee <> rel.relowner)
SELECT tab, kind, name, definition FROM found
ORDER BY tab COLLATE "C", CASE WHEN ordinal < 10000 THEN 0 ELSE ordinal END, name COLLATE "C"
