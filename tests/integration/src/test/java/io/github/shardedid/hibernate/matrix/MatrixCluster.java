package io.github.shardedid.hibernate.matrix;

import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.generator.JvmIdOptions;
import io.github.shardedid.generator.LeaseListener;
import io.github.shardedid.hibernate.ShardingSettings;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.test.TestPools;
import io.github.shardedid.test.WireTap;
import io.github.shardedid.test.matrix.ServerWatch;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.boot.model.naming.PhysicalNamingStrategySnakeCaseImpl;
import org.hibernate.cfg.Configuration;
import org.jspecify.annotations.Nullable;

/** Eight shards on two databases behind taps, and a session factory with everything that the matrix is about. */
final class MatrixCluster {
    private static @Nullable MatrixCluster shared;
    private static boolean begun;

    private static final Set<String> TABLES = Set.of(
            "person",
            "pet",
            "traveller",
            "passport",
            "profile",
            "note",
            "stamp",
            "nickname",
            "address",
            "phone",
            "friendship",
            "memo",
            "vehicle",
            "payment",
            "card_payment",
            "shape",
            "circle",
            "badge",
            "badge_colour");

    /** What belongs to the person of an id has that id, too, or the next one. */
    static final String ROWS =
            """
            INSERT INTO $.person (id, name) VALUES ($id, 'of old'), ($next, 'friend of old');
            INSERT INTO $.pet (id, owner_id, name) VALUES ($id, $id, 'rex'), ($next, $id, 'zoe');
            INSERT INTO $.traveller VALUES ($id, 'a traveller');
            INSERT INTO $.passport (id, holder_id, number) VALUES ($id, $id, 'P1');
            INSERT INTO $.profile VALUES ($id, 'a motto');
            INSERT INTO $.note (id, writer, person_id, words) VALUES ($id, $id, $id, 'noted');
            INSERT INTO $.nickname VALUES ($id, 'al');
            INSERT INTO $.address VALUES ($id, 0, 'first'), ($id, 1, 'second');
            INSERT INTO $.phone VALUES ($id, 'home', '123');
            INSERT INTO $.friendship VALUES ($id, $next);
            INSERT INTO $.memo VALUES ($id, 'a memo');
            INSERT INTO $.vehicle VALUES ($id, 'Car', 'a car', 5);
            INSERT INTO $.payment VALUES ($id, 'a payment');
            INSERT INTO $.card_payment VALUES ($id, '42');
            INSERT INTO $.circle VALUES ($id, 'a circle', 7);
            INSERT INTO $.badge VALUES ($id, 'a badge');
            INSERT INTO $.badge_colour VALUES ($id, 'red')
            """;

    final TestCluster databases = new TestCluster(IdLayout.DEFAULT, 8, 2, "classpath:db/matrix");
    final SessionFactory sessions;
    final ServerWatch watch;
    private final List<WireTap> taps = new ArrayList<>();
    private final Map<String, HikariDataSource> pools = new LinkedHashMap<>();

    /** One for all tests of this JVM. */
    static synchronized MatrixCluster shared() {
        if (shared == null) {
            if (begun) {
                throw new IllegalStateException("The cluster could not be started, as the first failure says");
            }
            begun = true;
            shared = new MatrixCluster();
        }
        return shared;
    }

    private final Set<Integer> leased = ConcurrentHashMap.newKeySet();

    private MatrixCluster() {
        for (TestDatabase database : databases.databases()) {
            WireTap tap = new WireTap(database.server().port());
            taps.add(tap);
            pools.put("pg" + taps.size(), pool(database, tap));
        }
        Configuration configuration = configuration(new RoutingDataSource(databases.cluster(), pools));
        configuration.getProperties().put(ShardingSettings.JVM_ID_OPTIONS, JvmIdOptions.DEFAULT.withListener(leases()));
        sessions = configuration.buildSessionFactory();
        lease();
        watch = new ServerWatch(databases.databases(), taps, this::taken, TABLES);
    }

    private LeaseListener leases() {
        return new LeaseListener() {
            @Override
            public void granted(int shard, int node) {
                leased.add(shard);
            }
        };
    }

    /** Leases are taken in the background once ids are wanted: all of them before anybody watches what is sent. */
    private void lease() {
        for (int shard = 0; shard < databases.cluster().shardCount(); shard++) {
            try (Session session = sessions.openSession()) {
                session.beginTransaction();
                session.persist(new Stamp(databases.cluster().layout().encode(1, shard, 0)));
                session.getTransaction().rollback();
            }
        }
        await().until(() -> leased.size() == databases.cluster().shardCount());
    }

    /** Statements are never prepared on the server, where they would be executed without being sent again. */
    private static HikariDataSource pool(TestDatabase database, WireTap tap) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(tap.url(database.name()) + "&currentSchema=no_shard&prepareThreshold=0");
        config.setUsername(database.server().username());
        config.setPassword(database.server().password());
        config.setMaximumPoolSize(4);
        config.setMinimumIdle(0);
        return TestPools.trusting(config);
    }

    static Configuration configuration(RoutingDataSource dataSource) {
        Configuration configuration = new Configuration();
        configuration.getProperties().put("hibernate.connection.datasource", dataSource);
        configuration.setProperty("hibernate.jdbc.batch_size", "20");
        configuration.setProperty("hibernate.cache.region.factory_class", MapCache.class.getName());
        configuration.setPhysicalNamingStrategy(new PhysicalNamingStrategySnakeCaseImpl());
        configuration.addAnnotatedClasses(
                Person.class,
                Pet.class,
                Traveller.class,
                Passport.class,
                Profile.class,
                Note.class,
                Stamp.class,
                Described.class,
                Memo.class,
                Vehicle.class,
                Vehicle.Car.class,
                Payment.class,
                Payment.ByCard.class,
                Shape.class,
                Shape.Circle.class,
                Badge.class);
        return configuration;
    }

    private int taken() {
        return pools.values().stream()
                .mapToInt(pool -> pool.getHikariPoolMXBean() == null
                        ? 0
                        : pool.getHikariPoolMXBean().getActiveConnections())
                .sum();
    }
}
