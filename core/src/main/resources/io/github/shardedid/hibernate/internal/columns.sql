SELECT c.relname, a.attname, has_any_column_privilege(c.oid, 'SELECT'), a.attidentity <> '', EXISTS (
    SELECT FROM pg_catalog.pg_depend p JOIN pg_catalog.pg_class s ON s.oid = p.refobjid AND s.relkind = 'S'
    WHERE p.classid = 'pg_attrdef'::regclass AND p.objid = d.oid AND p.refclassid = 'pg_class'::regclass)
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend p
    WHERE p.classid = 'pg_attrdef'::regclass AND p.objid = d.oid AND p.refclassid = 'pg_proc'::regclass)
FROM pg_catalog.pg_class c
JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
WHERE c.relnamespace = to_regnamespace(?) AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
