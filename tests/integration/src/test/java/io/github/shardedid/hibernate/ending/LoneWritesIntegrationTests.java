package io.github.shardedid.hibernate.ending;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.ShardSchema;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random transactions of one write and of more, over tables that refuse some: the outcome of each, and all contents, are those of plain
 * JPA on one database.
 */
class LoneWritesIntegrationTests {
    private static final int SHARD = 1;
    private static final List<String> KINDS =
            List.of("", "", "", "", "", "", "", "", "", "refused", "swallowed", "late");

    private final List<AutoCloseable> opened = new ArrayList<>();
    private int made;

    /** One of the two sides. */
    private record Side(SessionFactory sessions, SlipTables tables, List<Long> ids, LongFunction<Slip> newSlip) {
        Slip find(Session session, int index) {
            return (Slip) session.find(newSlip.apply(0).getClass(), ids.get(index));
        }

        /** What became of a transaction, as the application sees it. */
        String outcome(Consumer<Session> work) {
            return ShardContext.call(SHARD, () -> {
                try {
                    sessions.inTransaction(work);
                    return "committed";
                } catch (RuntimeException e) {
                    return described(e);
                }
            });
        }

        private static String described(Throwable failure) {
            StringBuilder said = new StringBuilder();
            for (Throwable at = failure; at != null; at = at.getCause()) {
                said.append(at.getClass().getSimpleName()).append(' ');
                if (at instanceof SQLException sql) {
                    return said.append(sql.getSQLState()).toString();
                }
            }
            return said.toString();
        }
    }

    @AfterEach
    void close() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    private <T extends AutoCloseable> T opened(T resource) {
        opened.add(resource);
        return resource;
    }

    private Side sharded(int batch) {
        TestCluster cluster = opened(new TestCluster(IdLayout.DEFAULT, 2, 2));
        SlipTables tables = new SlipTables(cluster.home(SHARD), ShardSchema.nameOf(SHARD)).create();
        tables.execute("CREATE SEQUENCE $.slip_id_seq MINVALUE 0");
        Configuration configuration = new Configuration().addAnnotatedClass(ShardedSlip.class);
        configuration.getProperties().put("hibernate.connection.datasource", cluster.dataSource());
        return new Side(sessions(configuration, batch), tables, new ArrayList<>(), id -> new ShardedSlip());
    }

    private Side plain(int batch) {
        TestDatabase database = PostgresServers.shared(1).newDatabase();
        opened.add(database::drop);
        SlipTables tables = new SlipTables(database, "public").create();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.url());
        config.setUsername(database.server().username());
        config.setPassword(database.server().password());
        HikariDataSource pool = opened(new HikariDataSource(config));
        Configuration configuration = new Configuration().addAnnotatedClass(PlainSlip.class);
        configuration.getProperties().put("hibernate.connection.datasource", pool);
        return new Side(sessions(configuration, batch), tables, new ArrayList<>(), id -> {
            PlainSlip slip = new PlainSlip();
            slip.id = id;
            return slip;
        });
    }

    private SessionFactory sessions(Configuration configuration, int batch) {
        configuration.setProperty("hibernate.jdbc.batch_size", batch);
        return opened(configuration.buildSessionFactory());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 20})
    void outcomesAndContentsAreThoseOfPlainJpa(int batch) {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        Side ours = sharded(batch);
        Side theirs = plain(batch);
        for (int step = 0; step < 250; step++) {
            int action = random.nextInt(10);
            long choice = random.nextLong();
            String our = act(ours, action, new Random(choice));
            String their = act(theirs, action, new Random(choice));
            assertThat(our)
                    .as("seed %d, step %d, action %d", seed, step, action)
                    .isEqualTo(their);
            assertThat(ours.tables().contents())
                    .as("seed %d, step %d", seed, step)
                    .isEqualTo(theirs.tables().contents());
            assertThat(ours.tables().audit())
                    .as("seed %d, step %d", seed, step)
                    .isEqualTo(theirs.tables().audit());
        }
    }

    private String act(Side side, int action, Random random) {
        if (action < 3 || side.ids().isEmpty()) {
            return insert(side, random, 1 + (action == 2 ? random.nextInt(random.nextBoolean() ? 3 : 24) : 0));
        }
        int index = random.nextInt(side.ids().size());
        String title = title(random);
        String word = "word " + random.nextInt(2_000);
        return switch (action) {
            case 3, 4 -> side.outcome(session -> change(side.find(session, index), title, word));
            case 5 ->
                side.outcome(session -> {
                    Slip slip = side.find(session, index);
                    meanwhile(
                            side,
                            index,
                            random.nextBoolean() ? "UPDATE $.slip SET version = version + 1" : "DELETE FROM $.slip");
                    change(slip, title, word);
                });
            case 6 ->
                side.outcome(session -> {
                    Slip slip = side.find(session, index);
                    if (slip != null) {
                        session.remove(slip);
                    }
                });
            case 7 -> side.outcome(session -> changeSeveral(side, session, random));
            case 8 ->
                side.outcome(session -> {
                    List<Slip> found = findSeveral(side, session, random);
                    if (random.nextInt(3) == 0) {
                        meanwhile(side, index, "DELETE FROM $.slip");
                    }
                    found.forEach(session::remove);
                });
            default ->
                side.outcome(session -> {
                    change(side.find(session, index), title, word);
                    session.flush();
                    if (random.nextBoolean()) {
                        change(side.find(session, random.nextInt(side.ids().size())), title(random), word);
                    }
                });
        };
    }

    private static List<Slip> findSeveral(Side side, Session session, Random random) {
        return IntStream.rangeClosed(0, random.nextInt(4))
                .mapToObj(i -> side.find(session, random.nextInt(side.ids().size())))
                .filter(Objects::nonNull)
                .distinct()
                .toList();
    }

    private static void changeSeveral(Side side, Session session, Random random) {
        for (Slip slip : findSeveral(side, session, random)) {
            change(slip, title(random), "word " + random.nextInt(2_000));
        }
        if (random.nextInt(4) == 0) {
            meanwhile(side, random.nextInt(side.ids().size()), "UPDATE $.slip SET version = version + 1");
        }
    }

    private static void meanwhile(Side side, int index, String sql) {
        side.tables()
                .execute("SET session_replication_role = replica; " + sql + " WHERE id = "
                        + side.ids().get(index));
    }

    private static void change(@org.jspecify.annotations.Nullable Slip slip, String title, String word) {
        if (slip != null) {
            slip.title = title;
            slip.word = word;
        }
    }

    private static String title(Random random) {
        return KINDS.get(random.nextInt(KINDS.size())) + " title " + random.nextInt(2_000);
    }

    private String insert(Side side, Random random, int rows) {
        List<Slip> slips = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            Slip slip = side.newSlip().apply(++made);
            change(slip, title(random), "word " + random.nextInt(2_000));
            slips.add(slip);
        }
        String outcome = side.outcome(session -> slips.forEach(session::persist));
        if (outcome.equals("committed")) {
            slips.forEach(slip -> side.ids().add(slip.id()));
        }
        return outcome;
    }
}
