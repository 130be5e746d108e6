package io.github.shardedid.hibernate.unique;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.hibernate.DuplicateValueException;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.PgBouncerServer;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.test.TestDatabase;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** Claims where each transaction has another session: PgBouncer in transaction mode, with fewer sessions than there are transactions. */
@Tag("embedded-only")
@EnabledIf("isInstalled")
class ClaimsBehindPgBouncerIntegrationTests {
    private static final int SHARDS = 8;
    private static final int THREADS = 4;
    private static final int VALUES = 60;
    private static final Map<String, HikariDataSource> pools = new LinkedHashMap<>();
    private static List<PgBouncerServer> poolers;
    static TestCluster databases;
    static SessionFactory sessions;

    static boolean isInstalled() {
        return PgBouncerServer.isInstalled();
    }

    @BeforeAll
    static void start() {
        databases = new TestCluster(IdLayout.DEFAULT, SHARDS, 2, "classpath:db/unique");
        poolers = List.of(
                new PgBouncerServer(PostgresServers.shared(1), 6), new PgBouncerServer(PostgresServers.shared(2), 6));
        for (TestDatabase database : databases.databases()) {
            int server = database.server().port() == PostgresServers.shared(1).port() ? 0 : 1;
            HikariConfig config = new HikariConfig();
            config.setJdbcUrl(poolers.get(server).url(database.name()));
            config.setUsername(database.server().username());
            config.setPassword(database.server().password());
            config.setMaximumPoolSize(2 * THREADS);
            pools.put("pg" + (pools.size() + 1), new HikariDataSource(config));
        }
        var configuration = UniqueValuesIntegrationTests.configuration(databases);
        configuration
                .getProperties()
                .put("hibernate.connection.datasource", new RoutingDataSource(databases.cluster(), pools));
        sessions = configuration.buildSessionFactory();
    }

    @AfterAll
    static void stop() {
        sessions.close();
        pools.values().forEach(HikariDataSource::close);
        poolers.forEach(PgBouncerServer::close);
        databases.close();
    }

    private static boolean save(int shard, Object row) {
        try {
            ShardContext.run(shard, () -> sessions.inTransaction(session -> session.persist(row)));
            return true;
        } catch (RuntimeException e) {
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                if (cause instanceof DuplicateValueException) {
                    return false;
                }
            }
            throw e;
        }
    }

    /** Often enough for the driver to prepare each statement in the server. */
    @Test
    void ofEachValueOneRowIsStored() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        AtomicInteger stored = new AtomicInteger();
        List<Future<?>> work = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            int shard = 2 * thread;
            work.add(threads.submit(() -> {
                for (int i = 0; i < VALUES; i++) {
                    if (save(shard, new Guest("value" + i))) {
                        stored.incrementAndGet();
                    }
                    save(shard + 1, new Member(shard + "mail" + i));
                }
            }));
        }
        for (Future<?> each : work) {
            each.get();
        }
        threads.shutdown();
        assertThat(stored).hasValue(VALUES);
        assertThat(rows("guest")).isEqualTo(VALUES);
        assertThat(rows("member")).isEqualTo((long) THREADS * VALUES);
    }

    private static long rows(String table) {
        long rows = 0;
        for (int shard = 0; shard < SHARDS; shard++) {
            rows += databases.home(shard).queryLong("SELECT count(*) FROM shard_000" + shard + "." + table);
        }
        return rows;
    }

    @Test
    void aTransactionThatHasClaimedAndReadsGoesOn() {
        Member member = new Member("reads@example.org");
        ShardContext.run(
                1,
                () -> sessions.inTransaction(session -> {
                    session.persist(member);
                    session.flush();
                    assertThat(session.createSelectionQuery(
                                            "from Member where email = 'reads@example.org'", Member.class)
                                    .getResultList())
                            .hasSize(1);
                }));
        assertThatThrownBy(() -> ShardContext.run(
                        6, () -> sessions.inTransaction(session -> session.persist(new Member("READS@example.org")))))
                .hasStackTraceContaining("DuplicateValueException");
    }
}
