package io.github.shardedid.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.move.MoveOptions;
import io.github.shardedid.move.ReplicationSource;
import io.github.shardedid.move.ShardMover;
import io.github.shardedid.provisioning.KeeperOptions;
import io.github.shardedid.provisioning.ShardMapKeeper;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.test.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Shard 0 moves to the other database and back while a JVM with a keeper makes ids for it under its lease. */
class MovedLeasesIntegrationTests {
    private static final String[] MIGRATIONS = {"classpath:db/hibernate", "classpath:db/jvm"};
    private static final String LEASES =
            "SELECT node || ' ' || holder FROM shard_0000.sharded_id_lease WHERE node >= 0 AND holder IS NOT NULL";
    private static final int THREADS = 3;

    private final TestCluster databases = new TestCluster(IdLayout.DEFAULT, 4, 2, MIGRATIONS);
    private final Queue<List<Long>> saved = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private volatile boolean stopped;

    @AfterEach
    void close() {
        databases.close();
    }

    private ShardMover mover() {
        Map<String, ReplicationSource> reach = new TreeMap<>();
        for (int i = 0; i < 2; i++) {
            TestDatabase database = databases.databases().get(i);
            PostgresServer server = database.server();
            reach.put(
                    "pg" + (i + 1),
                    new ReplicationSource(
                            server.peerHost(),
                            server.peerPort(),
                            database.name(),
                            server.username(),
                            server.password()));
        }
        return new ShardMover(
                databases.definition(),
                databases.sources(),
                ShardMigrations.at(MIGRATIONS),
                MoveOptions.DEFAULT.withReplicationSources(reach));
    }

    @Test
    void idsAreUniqueAndGrowAndNoCallFails() throws Exception {
        try (SessionFactory sessions = HibernateCluster.configuration(databases)
                        .addAnnotatedClass(Postcard.class)
                        .buildSessionFactory();
                ShardMapKeeper keeper =
                        new ShardMapKeeper(databases.cluster().map(), databases.sources(), KeeperOptions.DEFAULT)) {
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                Thread thread = new Thread(() -> save(sessions));
                threads.add(thread);
                thread.start();
            }
            await().until(() ->
                    databases.idsIn(0, "postcard").stream().anyMatch(this::isOfTheJvm) || !failures.isEmpty());
            awaitMore(); // another thread may have asked the database just before
            long leased =
                    databases.idsIn(0, "postcard").stream().max(Long::compare).orElseThrow();
            List<String> before = databases.home(0).query(LEASES);
            for (String target : List.of("pg2", "pg1")) {
                mover().move(0, target);
                await().until(() -> databases.cluster().map().get().isServedBy(0, target));
                assertThat(databases.home(0).query(LEASES)).as("the same lease").isEqualTo(before);
                awaitMore();
            }
            stopped = true;
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(before).hasSize(1);
            assertThat(databases.idsIn(0, "postcard").stream().filter(id -> id > leased))
                    .as("the database makes none any more")
                    .allMatch(this::isOfTheJvm);
            assertThat(keeper).isNotNull();
        }
        assertThat(failures).isEmpty();
        saved.forEach(ids -> assertThat(ids).as("of one thread").isSorted());
        List<Long> all = saved.stream().flatMap(List::stream).sorted().toList();
        assertThat(all).doesNotHaveDuplicates();
        assertThat(databases.idsIn(0, "postcard")).isEqualTo(all);
    }

    private boolean isOfTheJvm(long id) {
        return databases.cluster().shardOf(id) == 0
                && databases.cluster().layout().decode(id).node().isPresent();
    }

    /** Rows that were begun after this was called. */
    private void awaitMore() {
        long before = databases.idsIn(0, "postcard").size();
        await().until(() -> databases.idsIn(0, "postcard").size() > before + 50 || !failures.isEmpty());
    }

    private void save(SessionFactory sessions) {
        List<Long> ids = new ArrayList<>();
        try {
            while (!stopped) {
                ids.add(sessions.fromTransaction(session -> {
                            Postcard card = new Postcard(4);
                            session.persist(card);
                            return card;
                        })
                        .id);
            }
        } catch (RuntimeException | Error e) {
            failures.add(e);
        } finally {
            saved.add(ids);
        }
    }
}
