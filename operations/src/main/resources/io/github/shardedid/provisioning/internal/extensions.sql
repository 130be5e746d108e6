-- Extensions and their schemas; the condition for the schemas, n, follows.
SELECT quote_ident(e.extname), n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE
