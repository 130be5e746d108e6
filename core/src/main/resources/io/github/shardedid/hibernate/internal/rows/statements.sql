-- The statements on the rows of a shard that live with a root row, from the catalog and the references of the mappings.
--
-- Each of them finds the rows from the root's id, its only parameter, through the tables of their parents: no ids are kept, and what is
-- deleted is no longer found. It begins with the same common table expressions: "root" is the id, l1, l2 … are the living rows of each table, k1 …
-- the keys of those that are a tree. PostgreSQL plans only those that a statement uses.
--
-- A foreign key with ON DELETE CASCADE says that rows live with the one that they refer to; for the others, the mappings say so.
--
-- Kinds: obstacle (a reason why the rows are not known), count, export, delete (a batch), circle (all that is left, in one statement), refers
-- (counts rows that live elsewhere and have an id of these; is_obstacle if that prevents an erasure), dangling, oid (counts rows
-- with large objects), fits (counts lines of an export that fit no table), restore, differs (counts lines that are stored differently), columns
-- (reads #columns of the living rows).
WITH RECURSIVE input AS (
  SELECT CAST(? AS text) AS schema, CAST(? AS text) AS placeholder, CAST(? AS text) AS root, CAST(? AS jsonb) AS mapped
),
mapped AS (
  SELECT m.* FROM input, jsonb_to_recordset(input.mapped) AS m(kind text, tab text, cols text[], target text, keys text[])
),
tables AS MATERIALIZED (
  SELECT c.oid, c.relname::text COLLATE "default" AS tab, input.placeholder || '.' || quote_ident(c.relname) AS ref, c.relname = input.root AS is_root
  FROM input, pg_catalog.pg_class c
  WHERE c.relnamespace = to_regnamespace(input.schema) AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND c.relname !~ '^(sharded_id_|(flyway_schema_history|databasechangelog(lock)?)$)'
),
base_types AS MATERIALIZED (
  SELECT oid, oid AS base FROM pg_catalog.pg_type WHERE typtype <> 'd'
  UNION ALL
  SELECT d.oid, b.base FROM base_types b JOIN pg_catalog.pg_type d ON d.typtype = 'd' AND d.typbasetype = b.oid
),
-- Types are compared with those of keys: integers of each width are one type, as are texts, a domain is its base type, and an array its elements'.
-- Exported as texts, which their type reads again, are arrays (with their bounds), JSON (its null is not the one of SQL), and types that are not
-- PostgreSQL's own, as their casts to JSON may lose digits.
attributes AS MATERIALIZED (
  SELECT t.tab, t.ref, a.attnum, a.attname::text AS col, quote_ident(a.attname) AS quoted, a.attgenerated <> '' AS generated,
    v.typname = 'oid' AS large, b.typcategory = 'A' AS is_array, format_type(a.atttypid, a.atttypmod) AS declared,
    b.oid >= 16384 OR b.typcategory = 'A' OR b.typname IN ('json', 'jsonb') AS as_text,
    CASE WHEN v.typname IN ('int2', 'int4', 'int8') THEN 'bigint'
      WHEN v.typname IN ('varchar', 'bpchar') THEN 'text' ELSE format_type(v.oid, NULL) END AS type
  FROM tables t
  JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
  JOIN base_types ty ON ty.oid = a.atttypid
  JOIN pg_catalog.pg_type b ON b.oid = ty.base
  JOIN base_types el ON el.oid = CASE b.typcategory WHEN 'A' THEN coalesce(nullif(b.typelem, 0), b.oid) ELSE b.oid END
  JOIN pg_catalog.pg_type v ON v.oid = el.base
),
foreign_keys AS (
  SELECT t.tab, r.tab AS target, k.confdeltype AS action,
    ARRAY(SELECT a.attname::text FROM unnest(k.conkey) WITH ORDINALITY n(number, position), pg_catalog.pg_attribute a
      WHERE a.attrelid = k.conrelid AND a.attnum = n.number ORDER BY n.position) AS cols,
    ARRAY(SELECT a.attname::text FROM unnest(k.confkey) WITH ORDINALITY n(number, position), pg_catalog.pg_attribute a
      WHERE a.attrelid = k.confrelid AND a.attnum = n.number ORDER BY n.position) AS keys
  FROM pg_catalog.pg_constraint k JOIN tables t ON t.oid = k.conrelid JOIN tables r ON r.oid = k.confrelid
  WHERE k.contype = 'f' AND k.conparentid = 0
),
-- owns: a row lives with the one that it refers to. checked: by the database. clears: the database sets it to null or to a default. saved: the other
-- row refers to it, and has perhaps saved it by cascade.
edges AS MATERIALIZED (
  SELECT e.*, t.ref, r.ref AS target_ref, e.tab = e.target AS is_self, r.is_root AND e.keys = i.keys AS to_root, e.keys = i.keys AS to_id,
    e.tab || ' (' || array_to_string(e.cols, ', ') || ')' AS label,
    (SELECT string_agg('t.' || quote_ident(n), ', ' ORDER BY o) FROM unnest(e.cols) WITH ORDINALITY u(n, o)) AS cols_t,
    (SELECT string_agg('t.' || quote_ident(n), ', ' ORDER BY o) FROM unnest(e.keys) WITH ORDINALITY u(n, o)) AS keys_t,
    (SELECT string_agg('p.' || quote_ident(n), ', ' ORDER BY o) FROM unnest(e.cols) WITH ORDINALITY u(n, o)) AS cols_p,
    (SELECT string_agg('p.' || quote_ident(n), ', ' ORDER BY o) FROM unnest(e.keys) WITH ORDINALITY u(n, o)) AS keys_p
  FROM (
    SELECT f.tab, f.cols, f.target, f.keys, true AS checked, f.action IN ('n', 'd') AS clears,
      f.action = 'c' OR EXISTS (SELECT FROM mapped m
        WHERE m.kind = 'OWNS' AND m.tab = f.tab AND m.target = f.target AND f.cols @> m.cols) AS owns, false AS saved
    FROM foreign_keys f
    UNION ALL
    SELECT m.tab, m.cols, m.target, m.keys, false, false, m.kind = 'OWNS', m.kind = 'SAVED' FROM mapped m
    WHERE m.kind IN ('OWNS', 'REFERS', 'SAVED')
      AND NOT EXISTS (SELECT FROM foreign_keys f
        WHERE (f.tab, f.cols, f.target, f.keys) = (m.tab, m.cols, m.target, m.keys))
  ) e
  JOIN tables t ON t.tab = e.tab
  JOIN tables r ON r.tab = e.target
  LEFT JOIN mapped i ON i.kind IN ('ID', 'NUMBER') AND i.tab = e.target
),
-- A path that is longer than the tables are many is a circle.
reached AS (
  SELECT root AS tab, 0 AS depth FROM input
  UNION
  SELECT e.tab, r.depth + 1 FROM reached r JOIN edges e ON e.target = r.tab AND e.owns AND NOT e.is_self
  WHERE r.depth <= (SELECT count(*) FROM tables)
),
graph AS MATERIALIZED (
  SELECT t.*, g.depth, 'l' || row_number() OVER (ORDER BY g.depth, t.tab) AS living,
    'k' || row_number() OVER (ORDER BY g.depth, t.tab) AS tree,
    EXISTS (SELECT FROM edges e WHERE e.tab = t.tab AND e.owns AND e.is_self) AS is_tree
  FROM (SELECT tab, max(depth) AS depth FROM reached GROUP BY tab) g JOIN tables t ON t.tab = g.tab
),
root AS MATERIALIZED (
  SELECT g.tab, c.quoted, c.type FROM graph g JOIN mapped i ON i.kind IN ('ID', 'NUMBER') AND i.tab = g.tab AND g.is_root
  JOIN attributes c ON c.tab = g.tab AND c.col = i.cols[1]
),
-- The condition that a row t refers to a living one, or has the id of the root, which may be gone.
referring AS MATERIALIZED (
  SELECT e.*, g.living, h.living AS own_living,
    format('(%s) IN (%s)', e.cols_t, CASE
      WHEN e.to_root AND NOT g.is_tree THEN 'SELECT id FROM root'
      WHEN e.to_root THEN format('SELECT %s FROM %s p UNION ALL SELECT id FROM root', e.keys_p, g.living)
      ELSE format('SELECT %s FROM %s p', e.keys_p, g.living) END) AS condition
  FROM edges e JOIN graph g ON g.tab = e.target LEFT JOIN graph h ON h.tab = e.tab
),
-- By addresses where there are several, since PostgreSQL reads the whole table for an OR of subqueries. Addresses identify rows also in
-- tables without a primary key and, with the partition, in partitioned ones.
begins AS (
  SELECT g.*, CASE
    WHEN g.is_root THEN (SELECT format('t.%s IN (SELECT id FROM root)', quoted) FROM root)
    ELSE (SELECT CASE count(*) WHEN 1 THEN max(r.condition) ELSE format('(t.tableoid, t.ctid) IN (%s)',
        string_agg(format('SELECT t.tableoid, t.ctid FROM %s t WHERE %s', g.ref, r.condition), ' UNION ALL ')) END
      FROM referring r WHERE r.tab = g.tab AND r.owns AND NOT r.is_self) END AS condition
  FROM graph g
),
-- A tree ends at its leaves, and at circles, as its UNION is not UNION ALL.
expressions AS (
  SELECT coalesce((SELECT format(
      '%1$s AS (SELECT %2$s FROM %3$s t WHERE %4$s UNION SELECT %2$s FROM %3$s t JOIN %1$s p ON (%5$s) = (%6$s)), ' ||
      '%7$s AS NOT MATERIALIZED (SELECT t.tableoid AS "#o", t.ctid AS "#c", t.* FROM %3$s t WHERE (%2$s) IN (SELECT * FROM %1$s))',
      b.tree, e.keys_t, b.ref, b.condition, e.cols_t, e.keys_p, b.living)
      FROM edges e WHERE e.tab = b.tab AND e.owns AND e.is_self LIMIT 1),
    format('%s AS NOT MATERIALIZED (SELECT t.tableoid AS "#o", t.ctid AS "#c", t.* FROM %s t WHERE %s)',
      b.living, b.ref, b.condition)) AS expression
  FROM begins b
),
prefix AS MATERIALIZED (
  SELECT format('WITH RECURSIVE root AS NOT MATERIALIZED (SELECT CAST(? AS %s) AS id), %s', max(root.type),
    string_agg(e.expression, ', ')) AS living FROM expressions e, root
),
-- A row is deleted when none lives with it, which could not be found afterwards, and none that the database would not let go.
deletions AS (
  SELECT g.*, coalesce((SELECT string_agg(
      format(' AND NOT EXISTS (SELECT FROM %s p WHERE (%s) = (%s) AND (p.tableoid, p.ctid) <> (t."#o", t."#c"))',
        e.ref, e.cols_p, e.keys_t), '')
    FROM edges e WHERE e.target = g.tab AND (e.owns OR e.checked AND NOT e.clears)), '') AS leaves
  FROM graph g
),
stored AS (
  SELECT g.tab, g.ref, g.depth, g.living, string_agg(c.quoted, ', ' ORDER BY c.attnum) AS cols,
    string_agg(format(CASE WHEN c.as_text THEN 'CAST(r.%s AS %s)' ELSE 'r.%s' END, c.quoted, c.declared), ', ' ORDER BY c.attnum) AS cols_r,
    string_agg(c.quoted || ' ' || CASE WHEN c.as_text THEN 'text' ELSE c.declared END, ', ' ORDER BY c.attnum) AS record,
    string_agg(quote_literal(c.col), ', ' ORDER BY c.col COLLATE "C") AS literals,
    format('SELECT %L || CAST(row_to_json(t.*) AS text) || ''}'' AS line FROM (SELECT %s FROM %s) t', format('{"table":%s,"row":', to_json(g.tab)),
      string_agg(format(CASE WHEN c.as_text THEN 'CAST(%1$s AS text) AS %1$s' ELSE '%1$s' END, c.quoted), ', ' ORDER BY c.attnum), g.living) AS export
  FROM graph g JOIN attributes c ON c.tab = g.tab AND NOT c.generated GROUP BY g.tab, g.ref, g.depth, g.living
),
-- A small number may be in any column without being an id.
ids AS (
  SELECT m.tab, m.cols FROM mapped m JOIN attributes a ON a.tab = m.tab AND m.cols = ARRAY[a.col]
  WHERE m.kind = 'ID' OR m.kind = 'NUMBER' AND a.type <> 'bigint'
),
-- The columns of which it is not known what they refer to, with the ids of all tables whose key has the same type.
held AS (
  SELECT c.*, g.living AS own_living, c.tab || ' (' || c.col || ')' AS label,
    concat_ws(' UNION ALL ',
      (SELECT string_agg(format('SELECT %s FROM %s', k.quoted, o.living), ' UNION ALL ')
        FROM attributes k JOIN graph o ON o.tab = k.tab JOIN ids i ON i.tab = k.tab AND i.cols = ARRAY[k.col]
        WHERE k.type = c.type),
      (SELECT 'SELECT id FROM root' FROM root JOIN ids i ON i.tab = root.tab WHERE root.type = c.type)) AS ids,
    EXISTS (SELECT FROM mapped m WHERE m.kind = 'REPORTED' AND m.tab = c.tab
      AND (m.cols = '{}' OR c.col = ANY (m.cols))) AS reported
  FROM attributes c LEFT JOIN graph g ON g.tab = c.tab
  WHERE NOT EXISTS (SELECT FROM edges e WHERE e.tab = c.tab AND c.col = ANY (e.cols))
    AND NOT EXISTS (SELECT FROM mapped m WHERE m.kind IN ('ID', 'NUMBER') AND m.tab = c.tab AND m.cols = ARRAY[c.col])
),
elsewhere AS (
  SELECT r.label || CASE WHEN r.saved THEN ', saved by cascade from ' ELSE ' → ' END || r.target AS label, r.ref, r.condition, r.own_living,
    NOT r.saved AS is_obstacle
  FROM referring r WHERE NOT r.owns AND NOT r.clears
  UNION ALL
  SELECT v.label, v.ref, CASE
    WHEN v.is_array THEN format('(t.tableoid, t.ctid) IN (SELECT a.tableoid, a.ctid FROM %s a, unnest(a.%s) u(id) WHERE u.id IN (%s))', v.ref, v.quoted, v.ids)
    ELSE format('t.%s IN (%s)', v.quoted, v.ids) END, v.own_living, NOT v.reported
  FROM held v WHERE v.ids <> ''
  UNION ALL
  SELECT a.tab || ' (' || a.col || '), the same shard key', a.ref, format('t.%s IN (SELECT %s FROM %s)', a.quoted, b.quoted, g.living),
    h.living, false
  FROM mapped k JOIN graph g ON g.is_root AND g.tab = k.tab JOIN attributes b ON b.tab = k.tab AND k.cols = ARRAY[b.col]
  JOIN mapped m ON m.kind = 'KEY' JOIN attributes a ON a.tab = m.tab AND m.cols = ARRAY[a.col] AND a.type = b.type
  LEFT JOIN graph h ON h.tab = a.tab
  WHERE k.kind = 'KEY'
)
SELECT s.kind, s.name, s.statement, s.is_obstacle FROM (
  SELECT 1 AS kind_order, 0 AS position, 'obstacle' AS kind, format('the shard has no table %s', root) AS name, '' AS statement,
    true AS is_obstacle
  FROM input WHERE NOT EXISTS (SELECT FROM root)
  UNION ALL
  SELECT 1, 0, 'obstacle', format('row-level security may hide rows of %s from this role, which needs BYPASSRLS', t.tab), '', true
  FROM tables t WHERE row_security_active(t.oid)
  UNION ALL
  SELECT 1, 0, 'obstacle', format('rows of %s live with each other by way of other tables', g.tab), '', true
  FROM graph g WHERE g.depth > (SELECT count(*) FROM tables)
  UNION ALL
  SELECT 1, 0, 'obstacle', format('rows of %s live with each other by several references', e.tab), '', true
  FROM edges e JOIN graph g ON g.tab = e.tab WHERE e.owns AND e.is_self GROUP BY e.tab HAVING count(*) > 1
  UNION ALL
  SELECT 2, s.depth, 'count', s.tab, p.living || format(' SELECT count(*) FROM %s', s.living), false FROM stored s, prefix p
  UNION ALL
  SELECT 2, s.depth, 'columns', s.tab, p.living || format(' SELECT #columns FROM %s', s.living), false FROM stored s, prefix p
  UNION ALL
  SELECT 2, s.depth, 'export', s.tab, p.living || ' ' || s.export, false FROM stored s, prefix p
  UNION ALL
  SELECT 2, -d.depth, 'delete', d.tab, format(
    'DELETE FROM %s WHERE (tableoid, ctid) IN (%s SELECT "#o", "#c" FROM %s t WHERE true%s LIMIT 10000)',
    d.ref, p.living, d.living, d.leaves), false
  FROM deletions d, prefix p
  UNION ALL
  SELECT 2, 0, 'circle', max(root.tab), max(p.living) || coalesce(string_agg(format(
      ', d%s AS (DELETE FROM %s WHERE (tableoid, ctid) IN (SELECT "#o", "#c" FROM %1$s))', g.living, g.ref), '')
      FILTER (WHERE NOT g.is_root), '')
    || max(format(' DELETE FROM %s WHERE (tableoid, ctid) IN (SELECT "#o", "#c" FROM %s)', g.ref, g.living))
      FILTER (WHERE g.is_root), false
  FROM graph g, prefix p, root
  UNION ALL
  SELECT 3, 0, 'refers', e.label, p.living || format(' SELECT count(*) FROM %s t WHERE %s', e.ref, e.condition)
    || coalesce(' AND NOT EXISTS (SELECT FROM ' || e.own_living || ' o WHERE o."#o" = t.tableoid AND o."#c" = t.ctid)', ''),
    e.is_obstacle
  FROM elsewhere e, prefix p
  UNION ALL
  -- Spring Modulith has the event as a text.
  SELECT 3, 0, 'refers', c.tab || ' (' || c.col || ')',
    format('SELECT count(*) FROM %s t WHERE strpos(t.%s, CAST(CAST(? AS %s) AS text)) > 0', c.ref, c.quoted, root.type), false
  FROM attributes c, root WHERE c.tab IN ('event_publication', 'event_publication_archive') AND c.col = 'serialized_event'
  UNION ALL
  SELECT 4, 0, 'dangling', r.label || ' → ' || r.target || ', which does not exist', format(
    'SELECT count(*) FROM %s t WHERE num_nulls(%s) = 0 AND NOT EXISTS (SELECT FROM %s p WHERE (%s) = (%s))',
    r.ref, r.cols_t, r.target_ref, r.keys_p, r.cols_t), false
  FROM referring r WHERE r.owns AND r.to_id AND NOT r.checked
  UNION ALL
  SELECT 5, 0, 'oid', g.tab, max(p.living) || format(' SELECT count(*) FROM %s WHERE num_nonnulls(%s) > 0', g.living, string_agg(c.quoted, ', ')),
    true
  FROM graph g JOIN attributes c ON c.tab = g.tab AND c.large CROSS JOIN prefix p GROUP BY g.tab, g.living
  UNION ALL
  SELECT 6, 0, 'fits', '', format('SELECT count(*) FROM pg_temp.sharded_id_rows WHERE NOT coalesce(CASE line ->> ''table'' %s END, false)',
    string_agg(format('WHEN %L THEN ARRAY(SELECT k COLLATE "C" FROM json_object_keys(line -> ''row'') k ORDER BY 1) = ARRAY[%s]', s.tab, s.literals), ' ')), false
  FROM stored s
  UNION ALL
  -- One statement, since foreign keys are checked at its end: rows may refer to each other.
  SELECT 7, 0, 'restore', '', 'WITH ' || string_agg(format(
    'i%s AS (INSERT INTO %s (%s) OVERRIDING SYSTEM VALUE SELECT %s FROM pg_temp.sharded_id_rows x, ' ||
      'json_to_record(x.line -> ''row'') AS r(%6$s) WHERE x.line ->> ''table'' = %5$L)',
    s.living, s.ref, s.cols, s.cols_r, s.tab, s.record), ', ') || ' SELECT count(*) FROM pg_temp.sharded_id_rows', false
  FROM stored s
  UNION ALL
  SELECT 8, 0, 'differs', '', max(p.living) || format(
    ' SELECT count(*) FROM (SELECT CAST(line AS jsonb) FROM pg_temp.sharded_id_rows EXCEPT ALL SELECT CAST(t.line AS jsonb) FROM (%s) t) d',
    string_agg(s.export, ' UNION ALL ')), false
  FROM stored s, prefix p
) s
ORDER BY s.kind_order, s.position, s.name
