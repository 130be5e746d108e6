package io.github.shardedid.benchmarks.nextid;

import io.github.shardedid.benchmarks.servers.Database;
import java.sql.SQLException;

/** Instagram's function as it was published, for one shard, with tables of the same shape as ours. */
final class PublishedFunction {
    static final String SCHEMA = "insta5";

    private PublishedFunction() {}

    static void install(Database database) throws SQLException {
        database.execute(
                """
                CREATE SCHEMA insta5;
                CREATE SEQUENCE insta5.table_id_seq;
                CREATE FUNCTION insta5.next_id(OUT result bigint) AS $$
                DECLARE
                    our_epoch bigint := 1314220021721;
                    seq_id bigint;
                    now_millis bigint;
                    shard_id int := 5;
                BEGIN
                    SELECT nextval('insta5.table_id_seq') % 1024 INTO seq_id;
                    SELECT FLOOR(EXTRACT(EPOCH FROM clock_timestamp()) * 1000) INTO now_millis;
                    result := (now_millis - our_epoch) << 23;
                    result := result | (shard_id << 10);
                    result := result | (seq_id);
                END;
                $$ LANGUAGE PLPGSQL;
                """);
    }
}
