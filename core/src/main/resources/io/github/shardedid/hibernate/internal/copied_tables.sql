SELECT count(*)
FROM pg_catalog.pg_trigger t
JOIN pg_catalog.pg_class c ON c.oid = t.tgrelid
WHERE c.relnamespace = to_regnamespace(?) AND c.relname = ANY (?) AND t.tgname = 'sharded_id_replicated'
  AND EXISTS (SELECT FROM pg_catalog.pg_subscription_rel r
    JOIN pg_catalog.pg_subscription s ON s.oid = r.srsubid
    WHERE r.srrelid = c.oid AND s.subenabled)
