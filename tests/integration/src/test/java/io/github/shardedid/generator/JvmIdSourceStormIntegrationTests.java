package io.github.shardedid.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.PostgresServers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many makers of ids for one table at once. No id may come twice, and each thread's grow. */
// What it finds does not depend on how the server is packaged.
@Tag("embedded-only")
class JvmIdSourceStormIntegrationTests {
    private static final Duration LEASE = Duration.ofMillis(200);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicBoolean over = new AtomicBoolean();
    private final RecordingListener listener = new RecordingListener();

    @AfterEach
    void stop() {
        over.set(true);
        threads.shutdownNow();
    }

    private JvmIdSource source(IdCluster cluster, Duration lease) {
        return new JvmIdSource(cluster.dataSource(), new JvmIdOptions(lease, Duration.ofMillis(50), listener));
    }

    private Callable<List<Long>> maker(IdCluster cluster, JvmIdSource source) {
        return () -> {
            List<Long> ids = new ArrayList<>();
            try (Connection connection = cluster.dataSource().getConnection()) {
                while (!over.get()) {
                    ids.add(source.next(3, IdCluster.PHOTO, connection));
                }
            }
            return ids;
        };
    }

    /** Takes a source, makes ids for a moment, closes it under the hands of its threads, and so on. */
    private Callable<List<Long>> comesAndGoes(IdCluster cluster) {
        return () -> {
            List<Long> ids = new ArrayList<>();
            try (Connection connection = cluster.dataSource().getConnection()) {
                while (!over.get()) {
                    try (JvmIdSource source = source(cluster, LEASE)) {
                        AtomicBoolean closed = new AtomicBoolean();
                        Future<List<Long>> other = threads.submit(() -> {
                            List<Long> more = new ArrayList<>();
                            try (Connection mine = cluster.dataSource().getConnection()) {
                                while (!closed.get()) {
                                    more.add(source.next(3, IdCluster.PHOTO, mine));
                                }
                            }
                            return more;
                        });
                        for (int i = 0; i < 2000; i++) {
                            ids.add(source.next(3, IdCluster.PHOTO, connection));
                        }
                        source.close();
                        closed.set(true);
                        ids.addAll(other.get());
                    }
                }
            }
            return ids;
        };
    }

    private Callable<List<Long>> psql(IdCluster cluster, String call) {
        return () -> {
            List<Long> ids = new ArrayList<>();
            try (Connection connection = cluster.database().connect();
                    PreparedStatement select = connection.prepareStatement("SELECT shard_0003." + call)) {
                while (!over.get()) {
                    try (ResultSet rows = select.executeQuery()) {
                        while (rows.next()) {
                            ids.add(rows.getLong(1));
                        }
                    }
                }
            }
            return ids;
        };
    }

    private void assertUnique(List<Future<List<Long>>> makers, Duration time) throws Exception {
        await().timeout(time.plusSeconds(60)).pollDelay(time).until(() -> true);
        over.set(true);
        Set<Long> all = new HashSet<>();
        long made = 0;
        for (Future<List<Long>> maker : makers) {
            List<Long> ids = maker.get(3, TimeUnit.MINUTES);
            made += ids.size();
            all.addAll(ids);
        }
        assertThat(all).as("distinct ids").hasSize((int) made);
        assertThat(made).isGreaterThan(1000);
    }

    @Test
    void moreJvmsThanNodesAndSessionsBesideThemNeverMakeAnIdTwice() throws Exception {
        IdCluster cluster = IdCluster.of(IdLayout.DEFAULT.withJvmNodes(2), 4);
        List<JvmIdSource> sources = new ArrayList<>();
        List<Future<List<Long>>> makers = new ArrayList<>();
        for (int jvm = 0; jvm < 4; jvm++) {
            JvmIdSource source = source(cluster, LEASE);
            sources.add(source);
            makers.add(threads.submit(maker(cluster, source)));
            makers.add(threads.submit(maker(cluster, source)));
        }
        List<Future<List<Long>>> all = new ArrayList<>(makers);
        all.add(threads.submit(comesAndGoes(cluster)));
        all.add(threads.submit(psql(cluster, "next_id('shard_0003.photo_id_seq')")));
        all.add(threads.submit(psql(cluster, "next_ids('shard_0003.photo_id_seq', 100)")));

        assertUnique(all, Duration.ofSeconds(6));

        for (Future<List<Long>> maker : makers) {
            assertThat(maker.get()).isSorted().doesNotHaveDuplicates();
        }
        assertThat(listener.count("granted")).isPositive();
        assertThat(listener.count(FallbackReason.NO_NODE_FREE)).isPositive();
        sources.forEach(JvmIdSource::close);
    }

    @Tag("attack")
    @Test
    void aNodeThatPassesFromClosingSourceToSourceUnderLoadMakesNoIdTwice() throws Exception {
        IdCluster cluster = IdCluster.of(IdLayout.DEFAULT.withJvmNodes(1), 4);
        List<Future<List<Long>>> makers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            makers.add(threads.submit(comesAndGoes(cluster)));
        }

        assertUnique(makers, Duration.ofSeconds(6));

        assertThat(listener.count("released")).isPositive();
    }

    @Tag("restarts")
    @Test
    void aDatabaseThatIsDownForLongerThanALeaseCostsTheLeaseAndNoIdComesTwice() throws Exception {
        try (PostgresServer server = PostgresServers.start()) {
            IdCluster cluster = IdCluster.on(server, IdLayout.DEFAULT.withJvmNodes(2), 4);
            try (JvmIdSource source = source(cluster, Duration.ofSeconds(2))) {
                // Used all the while: what is not used is given back and not lost.
                Future<Integer> use = threads.submit(() -> takeUntilOver(cluster, source));
                await().until(() -> listener.count("granted") > 0);
                server.stop();
                await().until(() ->
                        listener.count(FallbackReason.DATABASE_UNREACHABLE) > 0 && listener.count("lost") > 0);
                int granted = listener.count("granted");
                server.start();
                await().until(() -> listener.count("granted") > granted);
                over.set(true);
                assertThat(use.get(3, TimeUnit.MINUTES)).isPositive();
            }
        }
    }

    /** How many ids it has taken one by one, some of them from the database where that can be asked. */
    private int takeUntilOver(IdCluster cluster, JvmIdSource source) {
        Set<Long> ids = new HashSet<>();
        while (!over.get()) {
            try (Connection connection = cluster.dataSource().getConnection()) {
                assertThat(ids.add(source.next(3, IdCluster.PHOTO, connection))).isTrue();
            } catch (SQLException e) {
                // the database had to be asked and could not be
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        return ids.size();
    }
}
