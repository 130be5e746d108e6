-- The statements that give copies the structure and the rows of the originals, in order; beside a COPY … FROM STDIN, the original's COPY … TO
-- STDOUT. Columns may be null until they are filled, and the original has checked them. Rows that are the same stay, since foreign keys of
-- shards may refer to them. What rows have to obey is dropped while they are replaced; then writes other than those of replication are refused.
-- Parameters: the schema; tables, kinds, names and definitions of the originals' parts, in the order in which they are made; and of the copies'.
WITH target AS (
  SELECT quote_ident(?) AS schema
), wanted AS (
  SELECT * FROM unnest(?::text[], ?::text[], ?::text[], ?::text[]) WITH ORDINALITY w (tab, kind, name, definition, part)
), present AS (
  SELECT * FROM unnest(?::text[], ?::text[], ?::text[], ?::text[]) WITH ORDINALITY p (tab, kind, name, definition, part)
), copy AS (
  SELECT tab, schema, schema || '.' || quote_ident(tab) AS t,
    string_agg(name, ', ' ORDER BY part) FILTER (WHERE kind = 'column') AS columns,
    string_agg(name || ' = excluded.' || name, ', ' ORDER BY part) FILTER (WHERE kind = 'column') AS changes,
    min(name) FILTER (WHERE kind = 'key') AS key,
    string_agg(concat_ws(' ', CASE WHEN kind <> 'key' THEN name END, definition), ', ' ORDER BY part)
      FILTER (WHERE kind IN ('column', 'generated', 'key')) AS structure,
    EXISTS (SELECT FROM present p WHERE p.tab = o.tab) AS found,
    EXISTS (SELECT FROM present p JOIN wanted w USING (tab, kind, name, definition) WHERE p.tab = o.tab AND p.kind = 'key') AS stays
  FROM wanted o CROSS JOIN target GROUP BY tab, schema
), columns AS (
  SELECT copy.*, coalesce(w.part, p.part) AS part, name, w.definition, w.part IS NOT NULL AS wanted, p.part IS NOT NULL AS present,
    coalesce(w.kind = 'column' AND p.kind = 'column', false) AS retyped
  FROM (SELECT * FROM wanted WHERE kind IN ('column', 'generated')) w
    FULL JOIN (SELECT * FROM present WHERE kind IN ('column', 'generated')) p USING (tab, name) JOIN copy USING (tab)
  WHERE copy.stays AND (w.kind, w.definition) IS DISTINCT FROM (p.kind, p.definition)
), steps (tab, step, part, original, statement) AS (
  SELECT tab, 1, 0, NULL, 'DROP TRIGGER sharded_id_replicated ON ' || t FROM copy WHERE found
  UNION ALL SELECT tab, 2, 0, NULL, 'DROP TABLE ' || t FROM copy WHERE found AND NOT stays
  UNION ALL SELECT tab, 3, 0, NULL, 'CREATE TABLE ' || t || ' (' || structure || ')' FROM copy WHERE NOT stays
  UNION ALL SELECT tab, 4, p.part, NULL,
    CASE p.kind WHEN 'index' THEN 'DROP INDEX ' || schema || '.' || p.name ELSE 'ALTER TABLE ' || t || ' DROP CONSTRAINT ' || p.name END
    FROM copy JOIN present p USING (tab) WHERE stays AND p.kind IN ('constraint', 'index')
  UNION ALL SELECT tab, 5, part, NULL, 'ALTER TABLE ' || t || ' DROP COLUMN ' || name FROM columns WHERE present AND NOT retyped
  UNION ALL SELECT tab, 6, part, NULL, 'ALTER TABLE ' || t || CASE WHEN retyped
    THEN ' ALTER COLUMN ' || name || ' TYPE ' || definition || ' USING CAST(' || name || ' AS ' || regexp_replace(definition, ' COLLATE .*', '') || ')'
    ELSE ' ADD COLUMN ' || name || ' ' || definition END
    FROM columns WHERE wanted
  UNION ALL SELECT tab, 7, 0, NULL,
    'CREATE TEMPORARY TABLE sharded_id_rows ON COMMIT DROP AS SELECT ' || columns || ' FROM ' || t || ' WITH NO DATA' FROM copy
  UNION ALL SELECT tab, 8, 0, 'COPY ' || t || ' (' || columns || ') TO STDOUT (FORMAT binary)',
    'COPY pg_temp.sharded_id_rows (' || columns || ') FROM STDIN (FORMAT binary)' FROM copy
  UNION ALL SELECT tab, 9, 0, NULL,
    'DELETE FROM ' || t || ' WHERE (' || key || ') NOT IN (SELECT ' || key || ' FROM pg_temp.sharded_id_rows)' FROM copy
  UNION ALL SELECT tab, 10, 0, NULL, 'INSERT INTO ' || t || ' (' || columns || ') SELECT ' || columns
    || ' FROM pg_temp.sharded_id_rows ON CONFLICT (' || key || ') DO UPDATE SET ' || changes FROM copy
  UNION ALL SELECT tab, 11, 0, NULL, 'DROP TABLE pg_temp.sharded_id_rows' FROM copy
  UNION ALL SELECT tab, 12, w.part, NULL, CASE w.kind WHEN 'index' THEN w.definition
    WHEN 'constraint' THEN 'ALTER TABLE ' || t || ' ADD CONSTRAINT ' || w.name || ' ' || w.definition
    ELSE 'GRANT USAGE ON SCHEMA ' || schema || ' TO ' || w.name || '; GRANT SELECT ON ' || t || ' TO ' || w.name END
    FROM copy JOIN wanted w USING (tab) WHERE w.kind IN ('constraint', 'index', 'reader')
  UNION ALL SELECT tab, 13, 0, NULL, 'CREATE TRIGGER sharded_id_replicated BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON ' || t
    || ' FOR EACH STATEMENT EXECUTE FUNCTION sharded_id.refuse_replicated()' FROM copy
)
SELECT original, statement FROM steps ORDER BY tab COLLATE "C", step, part
