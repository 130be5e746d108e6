package io.github.shardedid.boot.app;

import static java.util.Objects.requireNonNull;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.test.WireTap;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The application on two databases, one of which has a hot standby that streams from it, behind a tap. */
final class ReplicatedApp implements AutoCloseable {
    private final PostgresServer server = PostgresServers.start();
    private final PostgresServer standby;
    final TestDatabase database;
    final TestDatabase replica;
    final RunningApp app;
    final WireTap tap;
    final ConfigurableApplicationContext context;
    final JdbcTemplate jdbc;

    /** The database is pg1 or pg2. */
    ReplicatedApp(String name) {
        boolean first = name.equals("pg1");
        app = first
                ? RunningApp.on(server, PostgresServers.shared(2))
                : RunningApp.on(PostgresServers.shared(1), server);
        standby = PostgresServers.standbyOf(server);
        tap = new WireTap(standby.port());
        database = app.databases.get(first ? 0 : 1);
        replica = new TestDatabase(standby, database.name());
        context = app.start("sharded-id.databases." + name + ".replicas[0].url=" + tap.url(replica.name()));
        jdbc = new JdbcTemplate(context.getBean(DataSource.class));
    }

    /** Until the standby has all that was written, and nothing is counted yet. */
    void catchUp() {
        replica.query("SELECT pg_wal_replay_resume()");
        String now = database.query("SELECT pg_current_wal_lsn()").get(0);
        await().until(() -> replica.query("SELECT pg_last_wal_replay_lsn() >= '" + now + "'")
                .contains("t"));
        tap.reset();
    }

    <T extends @Nullable Object> T inTransaction(boolean readOnly, Supplier<T> work) {
        return inTransaction(context, readOnly, work);
    }

    /** The same in another instance of the application. */
    static <T extends @Nullable Object> T inTransaction(
            ConfigurableApplicationContext context, boolean readOnly, Supplier<T> work) {
        TransactionTemplate template = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        template.setReadOnly(readOnly);
        return template.execute(status -> work.get());
    }

    /** Whether this reads from the standby. */
    static boolean inRecovery(JdbcTemplate jdbc) {
        return requireNonNull(jdbc.queryForObject("SELECT pg_is_in_recovery()", Boolean.class));
    }

    @Override
    public void close() {
        context.close();
        app.close();
        tap.close();
        standby.close();
        server.close();
    }
}
