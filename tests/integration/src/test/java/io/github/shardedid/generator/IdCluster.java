package io.github.shardedid.generator;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.DatabaseShardMapSource;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardRanges;
import java.util.Map;

/** One database with all shards and the tables photo and tag, without a pool. */
record IdCluster(TestDatabase database, RoutingDataSource dataSource) {
    static final String PHOTO = "photo_id_seq";

    static IdCluster of(IdLayout layout, int shards) {
        return on(PostgresServers.shared(1), layout, shards);
    }

    static IdCluster on(PostgresServer server, IdLayout layout, int shards) {
        TestDatabase database = server.newDatabase();
        Map<String, ShardRanges> ranges = Map.of("pg1", ShardRanges.parse("0-" + (shards - 1)));
        ClusterDefinition definition = new ClusterDefinition(layout, shards, ranges);
        var sources = Map.of("pg1", database.dataSource());
        new Provisioner(definition, sources, ShardMigrations.at("classpath:db/generator")).provision();
        Cluster cluster = new Cluster(layout, new CurrentShardMap(new DatabaseShardMapSource(definition, sources)));
        return new IdCluster(database, new RoutingDataSource(cluster, sources));
    }

    IdLayout layout() {
        return dataSource.cluster().layout();
    }

    /** Puts functions in place of the clock and the server's name that read them from a table. */
    void takeOverClockAndServer() {
        database.execute(
                """
                CREATE TABLE sharded_id.seam (clock bigint, server text);
                INSERT INTO sharded_id.seam VALUES (0, 'a');
                CREATE FUNCTION sharded_id.clock() RETURNS timestamptz LANGUAGE sql VOLATILE AS
                $$ SELECT to_timestamp(0) + (clock + %d) * interval '1 millisecond' FROM sharded_id.seam $$;
                CREATE OR REPLACE FUNCTION sharded_id.server() RETURNS text LANGUAGE sql STABLE AS
                $$ SELECT server FROM sharded_id.seam $$;
                DO $$
                DECLARE f text;
                BEGIN
                  FOR f IN SELECT pg_get_functiondef(p.oid) FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace
                           WHERE nspname = 'sharded_id' AND prosrc LIKE '%%clock_timestamp()%%' LOOP
                    EXECUTE replace(replace(f, 'pg_catalog.clock_timestamp()', 'sharded_id.clock()'), 'ORDER BY random()', 'ORDER BY n');
                  END LOOP;
                END $$
                """
                        .formatted(layout().epoch().toEpochMilli()));
    }

    void clock(long millis) {
        database.execute("UPDATE sharded_id.seam SET clock = " + millis);
    }

    void server(String name) {
        database.execute("UPDATE sharded_id.seam SET server = '" + name + "'");
    }
}
