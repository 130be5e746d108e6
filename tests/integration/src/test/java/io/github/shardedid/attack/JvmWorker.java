package io.github.shardedid.attack;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.generator.DatabaseIdSource;
import io.github.shardedid.generator.IdSource;
import io.github.shardedid.generator.JvmIdOptions;
import io.github.shardedid.generator.JvmIdSource;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardOwnership;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An application: all three strategies at once, on its own pools and leases. */
final class JvmWorker {
    private static final int POOL = 4;
    private static final int TIMEOUT_MILLIS = 2000;

    private JvmWorker() {}

    public static void main(String[] arguments) throws Exception {
        WorkerOptions options = WorkerOptions.parse(arguments);
        Lifeline lifeline = Lifeline.attach();
        RoutingDataSource dataSource = dataSource(options);
        try (JvmIdSource jvm = new JvmIdSource(dataSource, JvmIdOptions.DEFAULT.withLease(options.lease()))) {
            WorkerLoop loop = new WorkerLoop(lifeline);
            IdSource watched = new OrderedSource(jvm, options.directory(), options.number(), Maker.JVM);
            addSource(loop, options, dataSource, 0, Maker.JVM, watched);
            addSource(loop, options, dataSource, 1, Maker.JVM, watched);
            IdSource blocks = new OrderedSource(
                    new DatabaseIdSource(IdLayout.DEFAULT), options.directory(), options.number(), Maker.DATABASE);
            addSource(loop, options, dataSource, 2, Maker.DATABASE, blocks);
            addSource(loop, options, dataSource, 3, Maker.DATABASE, blocks);
            RoutedSession defaults = new RoutedSession(dataSource, journal(options, 4, Maker.COLUMN));
            loop.add("column", options.seed() + 4, defaults::insertByDefault);
            RoutedSession trickle = new RoutedSession(dataSource, journal(options, 5, Maker.JVM));
            loop.add("trickle", options.seed() + 5, random -> trickle.trickleFrom(watched, Place.all()));
            loop.run();
        }
        Runtime.getRuntime().halt(0);
    }

    private static void addSource(
            WorkerLoop loop,
            WorkerOptions options,
            RoutingDataSource dataSource,
            int thread,
            Maker maker,
            IdSource ids) {
        RoutedSession session = new RoutedSession(dataSource, journal(options, thread, maker));
        loop.add(maker + "-" + thread, options.seed() + thread, random -> session.insertFrom(ids, random));
    }

    private static Journal journal(WorkerOptions options, int thread, Maker maker) {
        return new Journal(options.directory(), options.writer(thread), maker);
    }

    /** The map is told, not asked for: a worker must start while a server is down. */
    private static RoutingDataSource dataSource(WorkerOptions options) {
        Map<String, HikariDataSource> pools = new LinkedHashMap<>();
        List<ShardOwnership> owned = options.homes().entrySet().stream()
                .flatMap(home -> home.getValue()
                        .shards()
                        .shards()
                        .mapToObj(shard -> new ShardOwnership(shard, home.getKey(), 1)))
                .toList();
        options.homes().forEach((name, home) -> pools.put(name, pool(home)));
        ShardMap map = new ShardMap(Place.SHARDS, owned, Map.of());
        return new RoutingDataSource(new Cluster(IdLayout.DEFAULT, CurrentShardMap.fixed(map)), pools);
    }

    private static HikariDataSource pool(WorkerOptions.Home home) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(home.url());
        config.addDataSourceProperty("currentSchema", "no_shard_selected");
        config.setUsername(home.user());
        config.setPassword(home.password());
        config.setMaximumPoolSize(POOL);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(TIMEOUT_MILLIS);
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }
}
