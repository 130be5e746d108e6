-- Statements that suspend foreign keys and triggers, and that restore them. Parameters: the schema, twice.
SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
  format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
FROM pg_constraint WHERE connamespace = ?::regnamespace AND contype = 'f' AND conparentid = 0
UNION ALL SELECT format('ALTER TABLE %s DISABLE TRIGGER %I', tgrelid::regclass, tgname),
  format('ALTER TABLE %s ENABLE TRIGGER %I', tgrelid::regclass, tgname)
FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
WHERE relnamespace = ?::regnamespace AND NOT tgisinternal AND tgenabled = 'O' ORDER BY 1
