package io.github.shardedid.benchmarks.servers;

import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.id.TimestampUnit;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.DatabaseShardMapSource;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.RoutingOptions;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardRanges;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** A provisioned cluster of a run, with {@link #TABLES} in every shard. */
public final class ShardedDatabases implements AutoCloseable {
    public static final List<String> TABLES = List.of("photo", "remark", "favour");

    /**
     * A layout in which a JVM may make 524,288 ids per millisecond of one shard and table, so that a loop that does nothing
     * else measures the generator rather than the 8 that the default layout leaves to each of its 64 nodes.
     */
    public static final IdLayout WIDE =
            new IdLayout(IdLayout.PUBLISHED_EPOCH, TimestampUnit.MILLISECONDS, 41, 3, 20, 1);

    /** A layout in which a JVM may make 16 ids per millisecond of each of many shards and tables. */
    public static final IdLayout NODES_32 = IdLayout.DEFAULT.withJvmNodes(32);

    private static final int SHARDS_PER_TRANSACTION = 100;

    private final Map<String, HikariDataSource> pools = new LinkedHashMap<>();
    private final RoutingDataSource dataSource;

    /** Provisions what is missing; the shards are spread evenly, in ranges. */
    public ShardedDatabases(IdLayout layout, int shardCount, Database... databases) {
        Map<String, ShardRanges> ranges = new LinkedHashMap<>();
        for (int i = 0; i < databases.length; i++) {
            String name = "pg" + (i + 1);
            pools.put(name, databases[i].pool(name));
            ranges.put(name, ShardRanges.of(range(i, databases.length, shardCount)));
        }
        ClusterDefinition definition = new ClusterDefinition(layout, shardCount, ranges);
        new Provisioner(definition, pools, ShardMigrations.none()).provision();
        dataSource = new RoutingDataSource(
                new Cluster(layout, new CurrentShardMap(new DatabaseShardMapSource(definition, pools))), pools);
    }

    private static int[] range(int index, int databases, int shards) {
        return IntStream.range(shards * index / databases, shards * (index + 1) / databases)
                .toArray();
    }

    /** The same, with the tables. */
    public static ShardedDatabases withTables(IdLayout layout, int shardCount, Database... databases)
            throws SQLException {
        ShardedDatabases sharded = new ShardedDatabases(layout, shardCount, databases);
        for (int i = 0; i < databases.length; i++) {
            try (Connection connection = databases[i].connect()) {
                connection.setAutoCommit(false);
                createTables(connection, range(i, databases.length, shardCount));
            }
        }
        return sharded;
    }

    private static void createTables(Connection connection, int[] shards) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (int i = 0; i < shards.length; i++) {
                statement.execute("SET LOCAL search_path = " + ShardSchema.nameOf(shards[i]));
                for (String table : TABLES) {
                    statement.execute("CREATE SEQUENCE " + table + "_id_seq MINVALUE 0; " + "CREATE TABLE " + table
                            + " (id bigint PRIMARY KEY DEFAULT next_id('" + table + "_id_seq'),"
                            + " user_id bigint NOT NULL, caption text)");
                }
                if ((i + 1) % SHARDS_PER_TRANSACTION == 0) {
                    connection.commit();
                }
            }
            connection.commit();
        }
    }

    public RoutingDataSource dataSource() {
        return dataSource;
    }

    /** How many connections each pool may have. */
    public void resizePools(int connections) {
        pools.values().forEach(pool -> pool.setMaximumPoolSize(connections));
    }

    /** Another data source over the same pools. */
    public RoutingDataSource dataSource(RoutingOptions options) {
        return new RoutingDataSource(dataSource.cluster(), pools, options);
    }

    @Override
    public void close() {
        pools.values().forEach(HikariDataSource::close);
    }
}
