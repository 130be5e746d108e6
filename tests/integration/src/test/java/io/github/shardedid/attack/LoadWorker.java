package io.github.shardedid.attack;

import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.generator.JvmIdOptions;
import io.github.shardedid.hibernate.ShardingSettings;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.DatabaseShardMapSource;
import io.github.shardedid.provisioning.ShardMapKeeper;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import java.util.Map;
import org.hibernate.SessionFactory;
import org.hibernate.boot.model.naming.PhysicalNamingStrategySnakeCaseImpl;
import org.hibernate.cfg.Configuration;

/** An application that goes on with its work while shards move. No call of it may fail. */
final class LoadWorker {
    static final int THREADS = 4;

    private LoadWorker() {}

    public static void main(String[] arguments) throws Exception {
        run(WorkerOptions.parse(arguments), map -> () -> {});
    }

    /** What else runs in the process, until it ends in good order. */
    @FunctionalInterface
    interface Beside {
        AutoCloseable start(CurrentShardMap map);
    }

    static void run(WorkerOptions options, Beside beside) throws Exception {
        Lifeline lifeline = Lifeline.attach();
        Map<String, HikariDataSource> pools = LoadOptions.pools(options);
        ClusterDefinition definition = LoadOptions.definition(options);
        CurrentShardMap map = new CurrentShardMap(new DatabaseShardMapSource(definition, pools));
        RoutingDataSource dataSource = new RoutingDataSource(new Cluster(IdLayout.DEFAULT, map), pools);
        try (ShardMapKeeper keeper = new ShardMapKeeper(map, LoadOptions.unpooled(options));
                AutoCloseable other = beside.start(map);
                SessionFactory sessions = sessions(dataSource, options)) {
            WorkerLoop loop = new WorkerLoop(lifeline);
            for (int thread = 0; thread < THREADS; thread++) {
                Deeds deeds = new Deeds(options.directory(), options.writer(thread));
                LoadSession session = new LoadSession(sessions, deeds);
                loop.add("load-" + thread, options.seed() + thread, session::steps);
            }
            loop.run();
        }
        Runtime.getRuntime().halt(0);
    }

    private static SessionFactory sessions(RoutingDataSource dataSource, WorkerOptions options) {
        Configuration configuration = new Configuration();
        configuration.getProperties().put("hibernate.connection.datasource", dataSource);
        configuration
                .getProperties()
                .put(ShardingSettings.JVM_ID_OPTIONS, JvmIdOptions.DEFAULT.withLease(options.lease()));
        configuration.setProperty("hibernate.jdbc.batch_size", "20");
        configuration.setProperty("hibernate.order_inserts", "true");
        configuration.setPhysicalNamingStrategy(new PhysicalNamingStrategySnakeCaseImpl());
        configuration.addAnnotatedClasses(Holder.class, Booking.class, Receipt.class);
        return configuration.buildSessionFactory();
    }
}
