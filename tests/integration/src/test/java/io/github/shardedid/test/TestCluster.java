package io.github.shardedid.test;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.ClusterRoles;
import io.github.shardedid.provisioning.DatabaseShardMapSource;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ProvisioningOptions;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.RoutingOptions;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.GlobalDatabase;
import io.github.shardedid.topology.ShardRanges;
import io.github.shardedid.topology.ShardSchema;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A provisioned cluster for a test: shards spread evenly, in ranges, over databases {@code pg1}, {@code pg2} … on different
 * physical servers, each behind a small pool.
 */
public final class TestCluster implements AutoCloseable {
    private final Map<String, TestDatabase> databases = new LinkedHashMap<>();
    private final Map<String, HikariDataSource> pools = new LinkedHashMap<>();
    private final ClusterDefinition definition;
    private final Cluster cluster;
    private final RoutingDataSource dataSource;

    /** Provisions. */
    public TestCluster(IdLayout layout, int shardCount, int databaseCount, String... migrations) {
        this(layout, shardCount, databaseCount, InstantSource.system(), migrations);
    }

    /** Provisions in an application whose clock says something else; the databases have their own. */
    public TestCluster(IdLayout layout, int shardCount, int databaseCount, InstantSource clock, String... migrations) {
        this(layout, shardCount, databaseCount, clock, null, true, migrations);
    }

    /** Provisions a schema for global entities, too; their scripts are at the first of the places. */
    public TestCluster(
            IdLayout layout, int shardCount, int databaseCount, GlobalDatabase global, String... migrations) {
        this(layout, shardCount, databaseCount, InstantSource.system(), global, true, migrations);
    }

    /** Provisions tables for rows whose ids are small numbers, of any shard. */
    public static TestCluster withoutIdConstraints(
            IdLayout layout, int shardCount, int databaseCount, String... migrations) {
        return new TestCluster(layout, shardCount, databaseCount, InstantSource.system(), null, false, migrations);
    }

    private TestCluster(
            IdLayout layout,
            int shardCount,
            int databaseCount,
            InstantSource clock,
            @Nullable GlobalDatabase global,
            boolean idConstraints,
            String... migrations) {
        definition = new ClusterDefinition(layout, shardCount, ranges(shardCount, databaseCount));
        List<TestDatabase> made = ProvisionedCopies.make(
                List.of(definition, clock, Optional.ofNullable(global), idConstraints, List.of(migrations)),
                databaseCount,
                empty -> provision(empty, clock, global, idConstraints, migrations));
        for (TestDatabase database : made) {
            String name = nameOf(databases.size());
            databases.put(name, database);
            pools.put(name, pool(name, database));
        }
        cluster = cluster(System::nanoTime);
        dataSource = new RoutingDataSource(cluster, pools, RoutingOptions.DEFAULT.withGlobal(global), clock);
    }

    private static String nameOf(int index) {
        return "pg" + (index + 1);
    }

    private static Map<String, ShardRanges> ranges(int shardCount, int databaseCount) {
        Map<String, ShardRanges> ranges = new LinkedHashMap<>();
        for (int i = 0; i < databaseCount; i++) {
            int first = shardCount * i / databaseCount;
            int next = shardCount * (i + 1) / databaseCount;
            ranges.put(nameOf(i), ShardRanges.of(IntStream.range(first, next).toArray()));
        }
        return ranges;
    }

    private void provision(
            List<TestDatabase> empty,
            InstantSource clock,
            @Nullable GlobalDatabase global,
            boolean idConstraints,
            String... migrations) {
        Map<String, DataSource> sources = new LinkedHashMap<>();
        empty.forEach(database -> sources.put(nameOf(sources.size()), database.dataSource()));
        String[] ofShards = global == null ? migrations : Arrays.copyOfRange(migrations, 1, migrations.length);
        Provisioner provisioner = new Provisioner(
                        definition, sources, ShardMigrations.at(ofShards).withReplay(true), clock)
                .withOptions(new ProvisioningOptions(idConstraints, Map.of(), ClusterRoles.NONE));
        (global == null ? provisioner : provisioner.withGlobal(global, ShardMigrations.at(migrations[0]))).provision();
    }

    private static HikariDataSource pool(String name, TestDatabase database) {
        HikariConfig config = new HikariConfig();
        config.setPoolName(name);
        config.setJdbcUrl(database.url() + "?currentSchema=no_shard_selected");
        config.setUsername(database.server().username());
        config.setPassword(database.server().password());
        config.setMaximumPoolSize(8);
        config.setMinimumIdle(0);
        return new HikariDataSource(config);
    }

    /** Layout and map. */
    public Cluster cluster() {
        return cluster;
    }

    /** The same with a new map, whose age counts by a clock. */
    public Cluster cluster(LongSupplier clock) {
        // Not by the pools: a refresh in the background would count as a connection of the test's.
        CurrentShardMap map = new CurrentShardMap(new DatabaseShardMapSource(definition, directSources()), clock);
        return new Cluster(definition.layout(), map);
    }

    Map<String, DataSource> directSources() {
        Map<String, DataSource> sources = new LinkedHashMap<>();
        databases.forEach((name, database) -> sources.put(name, database.dataSource()));
        return sources;
    }

    /** For {@code ShardingSettings.COLOCATED_COLUMNS}: the columns with ids that Hibernate's mappings name get constraints. */
    public Consumer<Map<String, Set<String>>> constraining() {
        Provisioner provisioner = new Provisioner(definition(), directSources(), ShardMigrations.none());
        return columns -> provisioner.withColocated(columns).constrain(Set.of());
    }

    /** What is configured of it. */
    public ClusterDefinition definition() {
        return definition;
    }

    /** The data sources behind the one under test. */
    public Map<String, DataSource> sources() {
        return Map.copyOf(pools);
    }

    /** A further data source over the same pools, of an instance that is configured otherwise. */
    public RoutingDataSource configured(IdLayout layout) {
        CurrentShardMap map = new CurrentShardMap(new DatabaseShardMapSource(definition, pools));
        return new RoutingDataSource(new Cluster(layout, map), pools);
    }

    /** The data source under test. */
    public RoutingDataSource dataSource() {
        return dataSource;
    }

    /** The database that is home of a shard, for a look from outside. */
    public TestDatabase home(int shard) {
        TestDatabase home = databases.get(cluster.map().get().databaseOf(shard));
        if (home == null) {
            throw new IllegalStateException("No database for shard " + shard);
        }
        return home;
    }

    /** The databases in order. */
    public List<TestDatabase> databases() {
        return List.copyOf(databases.values());
    }

    /** The ids of a table in a shard's schema, read past the project. */
    public List<Long> idsIn(int shard, String table) {
        return home(shard).query("SELECT id FROM " + ShardSchema.nameOf(shard) + "." + table + " ORDER BY id").stream()
                .map(Long::valueOf)
                .toList();
    }

    /** The ids of a table in all schemas; fails if one is in a schema that it does not name. */
    public List<Long> idsEverywhere(String table) {
        List<Long> all = new ArrayList<>();
        for (int shard = 0; shard < cluster.shardCount(); shard++) {
            for (long id : idsIn(shard, table)) {
                if (cluster.shardOf(id) != shard) {
                    throw new AssertionError("The row " + id + " of " + table + " is in shard " + shard);
                }
                all.add(id);
            }
        }
        return all;
    }

    /** How many connections are borrowed from the pools just now. */
    public int activeConnections() {
        return pools.values().stream()
                .mapToInt(pool -> pool.getHikariPoolMXBean().getActiveConnections())
                .sum();
    }

    @Override
    public void close() {
        pools.values().forEach(HikariDataSource::close);
        databases.values().forEach(TestDatabase::drop);
    }
}
