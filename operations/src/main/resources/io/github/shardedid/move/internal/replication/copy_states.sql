-- The states of the tables of a subscription.
SELECT srrelid, srsubstate FROM pg_subscription_rel r JOIN pg_subscription s ON s.oid = r.srsubid
  WHERE s.subname = ? ORDER BY srrelid
