-- All that makes the structure of a shard's schema, as rows (object, aspect, value). Two schemas with the same rows are alike.
-- The search_path is the schema alone, so that names in it are printed without it. Columns of catalogues that not all versions
-- have are read from the row as JSON. pg_constraint's NOT NULLs, which are new in 17 and 18, are listed with their columns.
-- Parameters: the schema, tables whose replica identities are not read, and the lowest major version of the servers to be compared.
WITH own AS (
  SELECT oid FROM pg_namespace WHERE nspname = ?
), rel AS (
  SELECT c.oid, c.relname, c.relkind, c.relowner, c.relacl, to_jsonb(c) AS j,
    CASE c.relkind WHEN 'r' THEN 'table ' WHEN 'p' THEN 'table ' WHEN 'v' THEN 'view ' WHEN 'm' THEN 'materialized view '
      WHEN 'S' THEN 'sequence ' WHEN 'f' THEN 'foreign table ' ELSE 'type ' END || quote_ident(c.relname) AS object
  FROM pg_class c
  WHERE c.relnamespace = (SELECT oid FROM own) AND c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f', 'c') AND c.relname <> 'sharded_id_move_marker'
), col AS (
  SELECT rel.object, rel.oid, rel.relowner, a.attname, a.attnum, a.attacl, a.attnotnull, a.attidentity, a.attgenerated,
    format_type(a.atttypid, a.atttypmod) AS type, a.attstorage, t.typstorage,
    (SELECT string_agg(o, ', ' ORDER BY o) FROM unnest(a.attoptions) o WHERE o LIKE 'n\_distinct%') AS options,
    CASE WHEN a.attcollation <> t.typcollation THEN a.attcollation::regcollation::text END AS collated,
    nullif(to_jsonb(a) ->> 'attcompression', '') AS compression,
    pg_get_expr(d.adbin, d.adrelid) AS expression,
    EXISTS (SELECT FROM pg_constraint k WHERE k.conrelid = a.attrelid AND k.contype = 'n' AND NOT k.convalidated
      AND k.conkey = ARRAY[a.attnum]) AS not_valid
  FROM rel JOIN pg_attribute a ON a.attrelid = rel.oid JOIN pg_type t ON t.oid = a.atttypid
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  WHERE a.attnum > 0 AND NOT a.attisdropped AND rel.relkind <> 'S'
), proc AS (
  SELECT p.*, 'function ' || quote_ident(p.proname) || '(' || pg_get_function_identity_arguments(p.oid) || ')' AS object
  FROM pg_proc p
  WHERE p.pronamespace = (SELECT oid FROM own)
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype IN ('e', 'i'))
), typ AS (
  SELECT t.*, CASE t.typtype WHEN 'd' THEN 'domain ' ELSE 'type ' END || quote_ident(t.typname) AS object
  FROM pg_type t LEFT JOIN pg_class c ON c.oid = t.typrelid
  WHERE t.typnamespace = (SELECT oid FROM own) AND (t.typtype IN ('e', 'd', 'r') OR t.typtype = 'c' AND c.relkind = 'c'
    OR t.typtype = 'b' AND NOT EXISTS (SELECT FROM pg_type e WHERE e.typarray = t.oid))
), acl AS (
  SELECT 'schema' AS object, '' AS part, coalesce(nspacl, acldefault('n', nspowner)) AS acl
  FROM pg_namespace WHERE oid = (SELECT oid FROM own)
  UNION ALL SELECT object, '', coalesce(relacl, acldefault(CASE relkind WHEN 'S' THEN 's' ELSE 'r' END::"char", relowner))
  FROM rel WHERE relkind <> 'c'
  UNION ALL SELECT object, ' on column ' || quote_ident(attname), attacl FROM col WHERE attacl IS NOT NULL
  UNION ALL SELECT object, '', coalesce(proacl, acldefault('f', proowner)) FROM proc
  UNION ALL SELECT object, '', coalesce(typacl, acldefault('T', typowner)) FROM typ
  UNION ALL SELECT 'schema', ' by default on new objects of kind ' || defaclobjtype::text || ' of ' || pg_get_userbyid(defaclrole), defaclacl
  FROM pg_default_acl WHERE defaclnamespace = (SELECT oid FROM own)
)
SELECT 'schema' AS object, 'owner' AS aspect, pg_get_userbyid(nspowner)::text AS value FROM pg_namespace WHERE oid = (SELECT oid FROM own)

-- Relations
UNION ALL SELECT object, '', CASE relkind WHEN 'p' THEN 'partitioned' ELSE 'there' END FROM rel
UNION ALL SELECT object, 'owner', pg_get_userbyid(relowner) FROM rel
UNION ALL SELECT object, 'options', (SELECT string_agg(o, ', ' ORDER BY o) FROM jsonb_array_elements_text(j -> 'reloptions') o)
  FROM rel WHERE j -> 'reloptions' <> 'null'
UNION ALL SELECT object, 'options of TOAST', (SELECT string_agg(o, ', ' ORDER BY o) FROM unnest(t.reloptions) o)
  FROM rel JOIN pg_class c ON c.oid = rel.oid JOIN pg_class t ON t.oid = c.reltoastrelid WHERE t.reloptions IS NOT NULL
UNION ALL SELECT object, 'persistence', CASE j ->> 'relpersistence' WHEN 'u' THEN 'unlogged' ELSE 'temporary' END
  FROM rel WHERE j ->> 'relpersistence' <> 'p'
UNION ALL SELECT object, 'replica identity', CASE j ->> 'relreplident' WHEN 'd' THEN 'default' WHEN 'f' THEN 'full' WHEN 'n' THEN 'nothing'
    ELSE (SELECT 'index ' || quote_ident(i.relname) FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
      WHERE x.indrelid = rel.oid AND x.indisreplident) END
  FROM rel WHERE relkind IN ('r', 'p') AND relname <> ALL (?::name[])
UNION ALL SELECT object, 'row security', CASE WHEN j ->> 'relrowsecurity' = 'true' THEN 'enabled' ELSE 'disabled' END
    || CASE WHEN j ->> 'relforcerowsecurity' = 'true' THEN ', forced' ELSE '' END
  FROM rel WHERE j ->> 'relrowsecurity' = 'true' OR j ->> 'relforcerowsecurity' = 'true'
UNION ALL SELECT object, 'access method', m.amname
  FROM rel JOIN pg_am m ON m.oid = (j ->> 'relam')::oid WHERE relkind IN ('r', 'm')
UNION ALL SELECT object, 'partition key', pg_get_partkeydef(oid) FROM rel WHERE relkind = 'p'
UNION ALL SELECT rel.object, 'partition bound', pg_get_expr(c.relpartbound, c.oid)
  FROM rel JOIN pg_class c ON c.oid = rel.oid WHERE c.relispartition
UNION ALL SELECT object, 'parents', (SELECT string_agg(inhparent::regclass::text, ', ' ORDER BY inhseqno) FROM pg_inherits WHERE inhrelid = oid)
  FROM rel WHERE EXISTS (SELECT FROM pg_inherits WHERE inhrelid = rel.oid)
UNION ALL SELECT object, 'row type', (j ->> 'reloftype')::oid::regtype::text FROM rel WHERE j ->> 'reloftype' <> '0'
UNION ALL SELECT object, 'server', s.srvname || ' ' || coalesce(f.ftoptions::text, '')
  FROM rel JOIN pg_foreign_table f ON f.ftrelid = rel.oid JOIN pg_foreign_server s ON s.oid = f.ftserver
UNION ALL SELECT object, 'definition', pg_get_viewdef(oid, true) FROM rel WHERE relkind IN ('v', 'm')
UNION ALL SELECT object, 'populated', j ->> 'relispopulated' FROM rel WHERE relkind = 'm'

-- Columns
UNION ALL SELECT object, 'column ' || quote_ident(attname), type
    || coalesce(' COLLATE ' || collated, '')
    || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END || CASE WHEN not_valid THEN ' NOT VALID' ELSE '' END
    || CASE attidentity WHEN 'a' THEN ' GENERATED ALWAYS AS IDENTITY' WHEN 'd' THEN ' GENERATED BY DEFAULT AS IDENTITY' ELSE '' END
    || CASE attgenerated WHEN '' THEN coalesce(' DEFAULT ' || expression, '')
         ELSE ' GENERATED ALWAYS AS (' || expression || ') ' || CASE attgenerated WHEN 's' THEN 'STORED' ELSE 'VIRTUAL' END END
    || CASE WHEN attstorage <> typstorage THEN ' STORAGE ' || CASE attstorage WHEN 'p' THEN 'PLAIN' WHEN 'e' THEN 'EXTERNAL'
         WHEN 'm' THEN 'MAIN' ELSE 'EXTENDED' END ELSE '' END
    || CASE compression WHEN 'p' THEN ' COMPRESSION pglz' WHEN 'l' THEN ' COMPRESSION lz4' ELSE '' END
    || coalesce(' WITH ' || options, '')
  FROM col
UNION ALL SELECT object, 'order of columns', string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM col GROUP BY object

-- What hangs on relations
UNION ALL SELECT object, 'index ' || quote_ident(i.relname), pg_get_indexdef(x.indexrelid, 0, true)
    || CASE WHEN x.indisvalid THEN '' ELSE ' (not valid)' END || CASE WHEN x.indisclustered THEN ' (clustered)' ELSE '' END
    || coalesce(' WITH ' || i.reloptions::text, '')
  FROM rel JOIN pg_index x ON x.indrelid = rel.oid JOIN pg_class i ON i.oid = x.indexrelid
UNION ALL SELECT object, 'constraint ' || quote_ident(k.conname), pg_get_constraintdef(k.oid, true)
    || CASE WHEN k.convalidated OR pg_get_constraintdef(k.oid) LIKE '%NOT VALID' THEN '' ELSE ' (not validated)' END
    || CASE WHEN coalesce(to_jsonb(k) ->> 'conenforced', 'true') = 'true' THEN '' ELSE ' (not enforced)' END
    || CASE WHEN k.conislocal THEN '' ELSE ' (inherited)' END
  FROM rel JOIN pg_constraint k ON k.conrelid = rel.oid WHERE k.contype NOT IN ('n', 't') AND k.conname NOT LIKE 'sharded\_id\_check%'
UNION ALL SELECT object, 'trigger ' || quote_ident(t.tgname), pg_get_triggerdef(t.oid, true)
    || CASE t.tgenabled WHEN 'O' THEN '' WHEN 'D' THEN ' (disabled)' WHEN 'A' THEN ' (enabled always)' ELSE ' (enabled on replicas)' END
  FROM rel JOIN pg_trigger t ON t.tgrelid = rel.oid JOIN pg_proc p ON p.oid = t.tgfoid
  WHERE NOT t.tgisinternal AND NOT (p.proname = 'refuse_write' AND p.pronamespace = to_regnamespace('sharded_id'))
UNION ALL SELECT object, 'triggers of constraint ' || quote_ident(k.conname), 'enabled: ' || string_agg(t.tgenabled::text, '' ORDER BY t.tgfoid)
  FROM rel JOIN pg_trigger t ON t.tgrelid = rel.oid JOIN pg_constraint k ON k.oid = t.tgconstraint
  WHERE t.tgisinternal GROUP BY object, k.oid, k.conname HAVING bool_or(t.tgenabled <> 'O')
UNION ALL SELECT object, 'rule ' || quote_ident(r.rulename), pg_get_ruledef(r.oid, true) || CASE r.ev_enabled WHEN 'O' THEN ''
    ELSE ' (enabled: ' || r.ev_enabled::text || ')' END
  FROM rel JOIN pg_rewrite r ON r.ev_class = rel.oid WHERE r.rulename <> '_RETURN'
UNION ALL SELECT object, 'policy ' || quote_ident(p.polname), CASE WHEN p.polpermissive THEN 'permissive' ELSE 'restrictive' END
    || ' for ' || CASE p.polcmd WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE' WHEN 'd' THEN 'DELETE' ELSE 'ALL' END
    || ' to ' || (SELECT string_agg(CASE r WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(r)) END, ', '
         ORDER BY pg_get_userbyid(r)) FROM unnest(p.polroles) r)
    || coalesce(' USING (' || pg_get_expr(p.polqual, p.polrelid) || ')', '')
    || coalesce(' WITH CHECK (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')', '')
  FROM rel JOIN pg_policy p ON p.polrelid = rel.oid
UNION ALL SELECT 'statistics ' || quote_ident(s.stxname), 'definition', pg_get_statisticsobjdef(s.oid)
  FROM pg_statistic_ext s WHERE s.stxnamespace = (SELECT oid FROM own)

-- Sequences
UNION ALL SELECT object, 'definition', format_type(s.seqtypid, NULL) || ' INCREMENT ' || s.seqincrement || ' MINVALUE ' || s.seqmin
    || ' MAXVALUE ' || s.seqmax || ' START ' || s.seqstart || ' CACHE ' || s.seqcache || CASE WHEN s.seqcycle THEN ' CYCLE' ELSE '' END
  FROM rel JOIN pg_sequence s ON s.seqrelid = rel.oid
UNION ALL SELECT object, 'owned by', d.refobjid::regclass::text || '.' || quote_ident(a.attname)
  FROM rel JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = rel.oid AND d.refclassid = 'pg_class'::regclass
    AND d.deptype IN ('a', 'i') JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
  WHERE rel.relkind = 'S'

-- Functions
UNION ALL SELECT object, 'kind', CASE prokind WHEN 'p' THEN 'procedure' WHEN 'a' THEN 'aggregate' WHEN 'w' THEN 'window function' ELSE 'function' END
  FROM proc
UNION ALL SELECT object, 'arguments', pg_get_function_arguments(oid) FROM proc
UNION ALL SELECT object, 'result', pg_get_function_result(oid) FROM proc WHERE prokind <> 'p'
UNION ALL SELECT object, 'owner', pg_get_userbyid(proowner) FROM proc
UNION ALL SELECT object, 'properties', concat_ws(' ', 'LANGUAGE', (SELECT lanname FROM pg_language l WHERE l.oid = prolang),
    CASE provolatile WHEN 'i' THEN 'IMMUTABLE' WHEN 's' THEN 'STABLE' ELSE 'VOLATILE' END,
    CASE proparallel WHEN 's' THEN 'PARALLEL SAFE' WHEN 'r' THEN 'PARALLEL RESTRICTED' ELSE 'PARALLEL UNSAFE' END,
    CASE WHEN proisstrict THEN 'STRICT' END, CASE WHEN prosecdef THEN 'SECURITY DEFINER' END, CASE WHEN proleakproof THEN 'LEAKPROOF' END,
    'COST', procost, 'ROWS', prorows)
  FROM proc
UNION ALL SELECT object, 'settings', (SELECT string_agg(s, ', ' ORDER BY s) FROM unnest(proconfig) s WHERE s !~ '^search_path=shard_[0-9]')
  FROM proc WHERE EXISTS (SELECT FROM unnest(proconfig) s WHERE s !~ '^search_path=shard_[0-9]')
UNION ALL SELECT object, 'body', coalesce(pg_get_function_sqlbody(proc.oid), prosrc) || coalesce(' in ' || probin, '') FROM proc WHERE prokind <> 'a'
UNION ALL SELECT object, 'definition', concat_ws(' ', g.aggkind, g.aggtransfn, g.aggfinalfn, g.aggcombinefn, g.aggserialfn, g.aggdeserialfn,
    g.aggmtransfn, g.aggminvtransfn, g.aggmfinalfn, g.aggsortop::regoperator, format_type(g.aggtranstype, NULL), g.agginitval, g.aggminitval)
  FROM proc JOIN pg_aggregate g ON g.aggfnoid = proc.oid

-- Types
UNION ALL SELECT object, '', CASE typtype WHEN 'b' THEN 'base type' ELSE 'there' END FROM typ WHERE typtype <> 'c'
UNION ALL SELECT object, 'owner', pg_get_userbyid(typowner) FROM typ WHERE typtype <> 'c'
UNION ALL SELECT object, 'labels', (SELECT string_agg(quote_literal(enumlabel), ', ' ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = typ.oid)
  FROM typ WHERE typtype = 'e'
UNION ALL SELECT object, 'definition', format_type(typbasetype, typtypmod) || CASE WHEN typnotnull THEN ' NOT NULL' ELSE '' END
    || coalesce(' DEFAULT ' || typdefault, '')
    || CASE WHEN typcollation IN (0, (SELECT b.typcollation FROM pg_type b WHERE b.oid = typ.typbasetype)) THEN ''
         ELSE ' COLLATE ' || typcollation::regcollation::text END
  FROM typ WHERE typtype = 'd'
UNION ALL SELECT object, 'constraint ' || quote_ident(k.conname), pg_get_constraintdef(k.oid, true)
  FROM typ JOIN pg_constraint k ON k.contypid = typ.oid WHERE k.contype <> 'n'
UNION ALL SELECT object, 'definition', concat_ws(' ', format_type(r.rngsubtype, NULL), nullif(r.rngcollation, 0)::regcollation,
    (SELECT opcname FROM pg_opclass WHERE oid = r.rngsubopc), r.rngcanonical, r.rngsubdiff)
  FROM typ JOIN pg_range r ON r.rngtypid = typ.oid

-- Rarer objects, by their names
UNION ALL SELECT 'operator ' || o.oid::regoperator, '', concat_ws(' ', o.oprcode, o.oprrest, o.oprjoin, o.oprcanmerge, o.oprcanhash)
  FROM pg_operator o WHERE o.oprnamespace = (SELECT oid FROM own)
UNION ALL SELECT 'collation ' || quote_ident(c.collname), '', concat_ws(' ', c.collprovider, c.collisdeterministic, c.collcollate, c.collctype,
    to_jsonb(c) ->> 'colliculocale', to_jsonb(c) ->> 'colllocale', to_jsonb(c) ->> 'collicurules')
  FROM pg_collation c WHERE c.collnamespace = (SELECT oid FROM own)
UNION ALL SELECT 'operator class ' || quote_ident(o.opcname), '', concat_ws(' ', o.opcintype::regtype, o.opcdefault)
  FROM pg_opclass o WHERE o.opcnamespace = (SELECT oid FROM own)
UNION ALL SELECT 'text search configuration ' || quote_ident(cfgname), '',
    (SELECT string_agg(concat_ws(' ', m.maptokentype, m.mapseqno, m.mapdict::regdictionary), ', ' ORDER BY m.maptokentype, m.mapseqno)
     FROM pg_ts_config_map m WHERE m.mapcfg = c.oid)
  FROM pg_ts_config c WHERE c.cfgnamespace = (SELECT oid FROM own)
UNION ALL SELECT 'text search dictionary ' || quote_ident(dictname), '', coalesce(dictinitoption, 'there')
  FROM pg_ts_dict WHERE dictnamespace = (SELECT oid FROM own)

-- Privileges; whoever reads an object's own default reads the same as if it had been granted
UNION ALL SELECT g.object, 'privileges' || g.part || ' of ' || CASE x.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(x.grantee)) END,
    string_agg(x.privilege_type || CASE WHEN x.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END, ', ' ORDER BY x.privilege_type)
  FROM acl g CROSS JOIN LATERAL aclexplode(g.acl) x
  WHERE ? >= 17 OR x.privilege_type <> 'MAINTAIN'
  GROUP BY g.object, g.part, x.grantee
