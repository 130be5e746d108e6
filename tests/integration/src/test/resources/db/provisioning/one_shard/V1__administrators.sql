CREATE SEQUENCE administrator_id_seq MINVALUE 0;
CREATE TABLE administrator (
    id   bigint PRIMARY KEY DEFAULT next_id('administrator_id_seq'),
    name text NOT NULL UNIQUE
);

-- One row in the whole cluster, in the shard of its shard key.
INSERT INTO administrator (name)
SELECT 'root' WHERE current_schema() = 'shard_' || lpad(sharded_id.shard_of_key('root'::text)::text, 4, '0');
