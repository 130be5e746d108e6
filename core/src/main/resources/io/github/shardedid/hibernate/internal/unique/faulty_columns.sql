-- Why columns do not return what was written to them, or not to each transaction: mappings do not tell what migrations have done. By the tables of
-- one shard, since all have the same migrations. The parameters: tables and columns as SQL names them, whether a column has texts (those of which case
-- is ignored: folded), numbers or UUIDs, and whether a column is left out of an insert if its attribute is null;
-- and the schema of the shard.
SELECT n, fault
FROM unnest(cast(? AS text[]), cast(? AS text[]), cast(? AS text[]), cast(? AS boolean[])) WITH ORDINALITY AS w (of_table, of_column, kind, left_out, n)
JOIN pg_class c ON c.relname = (parse_ident(of_table))[cardinality(parse_ident(of_table))]
JOIN pg_namespace s ON s.oid = c.relnamespace AND s.nspname = ?
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = (parse_ident(of_column))[1] AND NOT a.attisdropped
JOIN pg_type t ON t.oid = a.atttypid
JOIN pg_type b ON b.oid = CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE t.oid END
LEFT JOIN pg_collation l ON l.oid = a.attcollation
-- Triggers that assign another value, as far as their texts show. Where case is ignored, lower() and upper() change no claim.
LEFT JOIN LATERAL (SELECT tgname FROM pg_trigger g JOIN pg_proc p ON p.oid = g.tgfoid,
    LATERAL (SELECT 'new\s*\.\s*"*' || regexp_replace(a.attname, '(\W)', '\\\1', 'g') || '"*\s*') v (new_value),
    LATERAL (SELECT regexp_replace(p.prosrc, '--[^\n]*', '', 'g')) s (source),
    LATERAL (SELECT CASE kind WHEN 'folded' THEN
        regexp_replace(source, new_value || ':*=\s*(lower|upper)\s*\(\s*' || new_value || '\)\s*;', ';', 'gi') ELSE source END) o (other)
  WHERE g.tgrelid = c.oid AND NOT g.tgisinternal AND g.tgenabled <> 'D' AND g.tgtype & 3 = 3
    AND other ~* (new_value || ':=|(^|;|\mbegin|\mthen|\melse|\mloop)\s*' || new_value
        || '=|\minto\s+(strict\s+)*([\w."]+\s*,\s*)*' || new_value || '(,|;|from\M)')
  LIMIT 1) changing ON true,
LATERAL (SELECT CASE
    WHEN row_security_active(c.oid) THEN 'policies of row-level security hide rows of ' || c.relname || ' from the role ' || current_user
        || ': the value of a hidden row could be taken again. Connect as a role with BYPASSRLS, or remove the annotation'
    WHEN left_out AND a.atthasdef THEN 'has @DynamicInsert, and its column ' || a.attname
        || ' has a default, which no claim is made of. Remove the default, or @DynamicInsert'
    WHEN tgname IS NOT NULL THEN 'its column ' || a.attname || ' is set by the trigger ' || tgname
        || ', after the value was claimed. Let the application set it, as in a setter or an AttributeConverter'
    WHEN NOT l.collisdeterministic THEN 'its column ' || a.attname || ' has the collation ' || l.collname
        || ', which is not deterministic: texts are equal in the database whose claims are not. Use another collation, with ignoreCase = true'
    WHEN b.typname = 'citext' AND kind = 'text' THEN 'its column ' || a.attname
        || ' has the type citext, for which texts are equal that differ in case: set ignoreCase = true'
    WHEN NOT CASE kind
        WHEN 'number' THEN b.typname IN ('int2', 'int4', 'int8')
            OR b.typname = 'numeric' AND (mod < 0 OR (mod - 4) & 2047 = 0)
        WHEN 'uuid' THEN b.typname IN ('uuid', 'text', 'varchar', 'bpchar')
        ELSE b.typname IN ('text', 'varchar', 'bpchar', 'citext') OR b.typtype = 'e' END
      THEN 'its column ' || a.attname || ' has the type ' || format_type(b.oid, mod)
        || ', which may return another text than that of the value. Store texts as text, whole numbers as bigint, and UUIDs as uuid'
    END AS fault
  FROM (SELECT CASE t.typtype WHEN 'd' THEN t.typtypmod ELSE a.atttypmod END AS mod) m) f
WHERE fault IS NOT NULL
ORDER BY n
