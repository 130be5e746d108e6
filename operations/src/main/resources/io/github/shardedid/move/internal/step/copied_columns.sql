-- The columns of a table that are not generated.
SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) FROM pg_attribute a WHERE a.attrelid = ?::regclass AND a.attnum > 0 AND
  NOT a.attisdropped AND a.attgenerated = ''
