package io.github.shardedid.move;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.DatabaseShardMapSource;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ShardMapKeeper;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.RoutingOptions;
import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardRanges;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** Databases {@code pg15} and so on, each of the release in its name, with one shard each, used as a role without a superuser's rights. */
final class ReleasesCluster implements AutoCloseable {
    static final String ROLE = "shop_mover";
    private static final String SCRIPTS = "classpath:db/releases";
    static final int SUBSCRIBE_ROLE_SINCE = 16;

    private final List<PostgresServer> servers = new ArrayList<>();
    private final Map<String, TestDatabase> databases = new TreeMap<>();
    private final ClusterDefinition definition;
    private final CurrentShardMap map;
    private final ShardMapKeeper keeper;

    ReleasesCluster(List<Integer> releases) {
        Map<String, ShardRanges> ranges = new TreeMap<>();
        for (int release : releases) {
            PostgresServer server = serverOf(release);
            servers.add(server);
            String name = nameOf(release);
            databases.put(name, server.newDatabase());
            ranges.put(name, ShardRanges.of(ranges.size()));
        }
        definition = new ClusterDefinition(IdLayout.DEFAULT, releases.size(), ranges);
        new Provisioner(definition, sources(), ShardMigrations.at(SCRIPTS)).provision();
        map = new CurrentShardMap(new DatabaseShardMapSource(definition, sources()));
        keeper = new ShardMapKeeper(map, sources());
    }

    /** A server of a release, used as a role with the documented rights; the caller must close it. */
    private static PostgresServer serverOf(int release) {
        PostgresServer server = PostgresServers.startRelease(release);
        ServerAsRole asRole = ServerAsRole.on(server, ROLE);
        new TestDatabase(server, "postgres").execute(rights(release));
        return asRole;
    }

    static String nameOf(int release) {
        return "pg" + release;
    }

    /** What docs/operations.md grants. */
    private static String rights(int release) {
        return Sql.load(ReleasesCluster.class, "/documented/upgrade-rights.sql")
                .lines()
                .filter(line -> release >= SUBSCRIBE_ROLE_SINCE || !line.contains("since PostgreSQL 16"))
                .collect(Collectors.joining("\n"));
    }

    Map<String, DataSource> sources() {
        Map<String, DataSource> sources = new TreeMap<>();
        databases.forEach((name, database) -> sources.put(name, database.dataSource()));
        return sources;
    }

    TestDatabase database(String name) {
        return Objects.requireNonNull(databases.get(name));
    }

    TestDatabase home(int shard) {
        return database(homeOf(shard));
    }

    String homeOf(int shard) {
        return new DatabaseShardMapSource(definition, sources()).load().databaseOf(shard);
    }

    RoutingDataSource routed() {
        return new RoutingDataSource(
                new Cluster(IdLayout.DEFAULT, map),
                sources(),
                RoutingOptions.DEFAULT.withFenceWait(Duration.ofMinutes(2)));
    }

    ShardMover mover() {
        return mover(sources(), MoveOptions.DEFAULT);
    }

    ShardMover mover(Map<String, DataSource> sources, MoveOptions options) {
        return new ShardMover(definition, sources, ShardMigrations.at(SCRIPTS), options);
    }

    /** What is left of moves, in all databases. */
    List<String> leftovers() {
        List<String> left = new ArrayList<>();
        databases.forEach((name, database) -> left.addAll(database.query(
                "SELECT '" + name + " slot ' || slot_name FROM pg_replication_slots UNION ALL SELECT '" + name
                        + " publication ' || pubname FROM pg_publication UNION ALL SELECT '" + name
                        + " subscription ' || subname FROM pg_subscription UNION ALL SELECT '" + name
                        + " table ' || oid::regclass FROM pg_class WHERE relname LIKE 'sharded\\_id\\_move\\_%'"
                        + " AND relkind = 'r' AND relnamespace <> 'sharded_id'::regnamespace UNION ALL SELECT '" + name
                        + " identity ' || oid::regclass FROM pg_class WHERE relreplident = 'f'")));
        return left;
    }

    @Override
    public void close() {
        keeper.close();
        servers.forEach(PostgresServer::close);
    }
}
