ALTER ROLE shop_mover REPLICATION;
GRANT pg_create_subscription TO shop_mover;  -- since PostgreSQL 16
