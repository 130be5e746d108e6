-- The number of the tables of a subscription of this database that is enabled.
SELECT count(*) FROM pg_subscription s JOIN pg_subscription_rel r ON r.srsubid = s.oid WHERE s.subname = ? AND s.subenabled AND s.subdbid
  = (SELECT oid FROM pg_database WHERE datname = current_database())
