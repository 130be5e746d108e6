-- What a shard's schema contains that a move would leave behind, double, or stop at after hours: what prevents the move, the names,
-- and the way out. What the target lacks is found when the migrations run there.
-- Parameters: the schema; the target with its publications of all tables, or NULL if it has none; whether rows are to be replicated.
WITH shard AS MATERIALIZED (SELECT ?::regnamespace AS schema, ?::text AS publishing, ?::boolean AS replicated),
obstacle (kind, what, way_out) AS (VALUES
  (1, 'cannot be replicated or copied', ''),
  (2, 'may point to large objects, which are not copied', ''),
  (3, 'would also fire for rows that are copied, as they are enabled ALWAYS or REPLICA', ''),
  (4, 'share rows with a table of another schema, which is not copied', ' Keep both tables in the shard''s schema.'),
  (5, 'take their values from sequences of another schema, and would take some again at the target',
    ' Create these sequences in the shard''s schema.'),
  (6, 'have no replica identity, so that their rows could not be updated or deleted in ' || (SELECT publishing FROM shard),
    ' Give them a primary key, or REPLICA IDENTITY FULL.'),
  (7, 'are generated columns of the replica identity, which are not replicated',
    ' Give the tables a primary key of other columns. An offline move is possible as it is: it copies the rows while the shard is fenced.')),
relation AS (SELECT c.* FROM pg_class c JOIN shard ON c.relnamespace = shard.schema),
-- By which a row is found from what an update or delete logs of it.
identity AS (
  SELECT i.* FROM relation c JOIN pg_index i ON i.indrelid = c.oid AND i.indisvalid
    AND (c.relreplident = 'd' AND i.indisprimary AND i.indimmediate OR c.relreplident = 'i' AND i.indisreplident)),
found (kind, name) AS (
  SELECT 1, CASE WHEN relkind = 'f' THEN 'foreign table ' WHEN relkind = 'm' THEN 'materialized view ' ELSE 'unlogged table ' END || relname
    FROM relation WHERE relkind IN ('f', 'm') OR relkind IN ('r', 'p') AND relpersistence = 'u'
  UNION SELECT 2, c.relname || '.' || a.attname FROM relation c JOIN pg_attribute a ON a.attrelid = c.oid
    JOIN pg_type t ON t.oid = a.atttypid
    WHERE c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped AND 'oid'::regtype IN (t.oid, t.typbasetype)
  UNION SELECT 3, 'trigger ' || tgname || ' on ' || tgrelid::regclass FROM pg_trigger t JOIN relation c ON c.oid = t.tgrelid
    WHERE NOT tgisinternal AND tgenabled IN ('A', 'R')
  -- Rows of the one are rows of the other.
  UNION SELECT 4, i.inhrelid::regclass || ' of ' || i.inhparent::regclass FROM shard, pg_inherits i
    JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
    WHERE c.relkind IN ('r', 'p', 'f') AND c.relnamespace <> p.relnamespace AND shard.schema::oid IN (c.relnamespace, p.relnamespace)
  UNION SELECT 5, c.relname || '.' || a.attname || ' from ' || s.oid::regclass FROM pg_attrdef e JOIN relation c ON c.oid = e.adrelid
    JOIN pg_attribute a ON a.attrelid = e.adrelid AND a.attnum = e.adnum
    JOIN pg_depend d ON d.classid = 'pg_attrdef'::regclass AND d.objid = e.oid AND d.refclassid = 'pg_class'::regclass
    JOIN pg_class s ON s.oid = d.refobjid AND s.relkind = 'S' AND s.relnamespace <> c.relnamespace WHERE c.relkind IN ('r', 'p')
  -- Other rows than these are found by an index, or by the whole row if all of its columns are logged. Any primary key does at the
  -- target, whose tables are made by the migrations.
  UNION SELECT 6, c.relname::text FROM shard, relation c WHERE publishing IS NOT NULL AND c.relkind = 'r' AND c.relreplident <> 'f'
    AND NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisvalid
      AND (i.indisprimary AND i.indimmediate AND c.relreplident <> 'n' OR c.relreplident = 'i' AND i.indisreplident))
  -- Writes to such a table fail at the source while it is published.
  UNION SELECT 7, c.relname || '.' || a.attname FROM shard, relation c JOIN pg_attribute a ON a.attrelid = c.oid
    LEFT JOIN identity i ON i.indrelid = c.oid
    WHERE replicated AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated <> ''
      AND CASE WHEN i.indexrelid IS NULL THEN current_setting('server_version_num')::int >= 180000 ELSE a.attnum = ANY (i.indkey) END)
SELECT what, string_agg(name, ', ' ORDER BY name COLLATE "C"), way_out FROM found JOIN obstacle USING (kind)
GROUP BY kind, what, way_out ORDER BY kind
