-- The subscriptions of this database whose names begin so.
SELECT quote_ident(subname) FROM pg_subscription WHERE starts_with(subname, ?)
  AND subdbid = (SELECT oid FROM pg_database WHERE datname = current_database())
