-- Once per server, by an administrator.
CREATE ROLE shop_owner LOGIN PASSWORD 'pw of shop_owner';
CREATE ROLE shop_app LOGIN PASSWORD 'pw of shop_app';
CREATE ROLE shop_reader LOGIN PASSWORD 'pw of shop_reader';
CREATE ROLE shop_mover LOGIN REPLICATION PASSWORD 'pw of shop_mover';
GRANT shop_owner TO shop_mover;
GRANT pg_create_subscription TO shop_mover;  -- since PostgreSQL 16; before, shards move to this server offline
