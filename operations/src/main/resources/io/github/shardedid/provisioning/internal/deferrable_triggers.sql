-- Whether a schema has triggers that run at the end of a transaction.
SELECT EXISTS (SELECT FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE t.tgdeferrable AND NOT t.tgisinternal AND
  c.relnamespace = cast(? AS regnamespace))
