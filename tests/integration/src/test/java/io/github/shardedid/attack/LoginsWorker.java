package io.github.shardedid.attack;

import com.zaxxer.hikari.HikariDataSource;
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

/** An application whose rows compete for names with those of other processes. */
final class LoginsWorker {
    static final int THREADS = 4;

    /** Milliseconds. */
    static final int LOCK_TIMEOUT = 500;

    private LoginsWorker() {}

    public static void main(String[] arguments) throws Exception {
        WorkerOptions options = WorkerOptions.parse(arguments);
        Lifeline lifeline = Lifeline.attach();
        Map<String, HikariDataSource> pools = LoadOptions.pools(options);
        ClusterDefinition definition = LoadOptions.definition(options);
        CurrentShardMap map = new CurrentShardMap(new DatabaseShardMapSource(definition, pools));
        RoutingDataSource dataSource = new RoutingDataSource(new Cluster(IdLayout.DEFAULT, map), pools);
        try (ShardMapKeeper keeper = new ShardMapKeeper(map, LoadOptions.unpooled(options));
                SessionFactory sessions = sessions(dataSource)) {
            WorkerLoop loop = new WorkerLoop(lifeline);
            for (int thread = 0; thread < THREADS; thread++) {
                Deeds deeds = new Deeds(options.directory(), options.writer(thread));
                loop.add("logins-" + thread, options.seed() + thread, new LoginsSession(sessions, deeds)::steps);
            }
            loop.run();
        }
        Runtime.getRuntime().halt(0);
    }

    static SessionFactory sessions(RoutingDataSource dataSource) {
        Configuration configuration = new Configuration();
        configuration.getProperties().put("hibernate.connection.datasource", dataSource);
        configuration.setProperty("hibernate.jdbc.batch_size", "20");
        configuration.setProperty("jakarta.persistence.lock.timeout", Integer.toString(LOCK_TIMEOUT));
        configuration.setPhysicalNamingStrategy(new PhysicalNamingStrategySnakeCaseImpl());
        configuration.addAnnotatedClass(Login.class);
        return configuration.buildSessionFactory();
    }
}
