package io.github.shardedid.boot.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.boot.autoconfigure.ShardedDatabases;
import io.github.shardedid.pool.PartitionedDataSource;
import io.github.shardedid.test.PostgresServers;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** An application of so many shards that its pools have parts, with fewer connections than threads. */
class PartitionedPoolsIntegrationTests {
    private static final int CONNECTIONS = 3;

    private static RunningApp app;

    @BeforeAll
    static void start() {
        app = RunningApp.on(
                PostgresServers.shared(1),
                PostgresServers.shared(2),
                "sharded-id.shards=128",
                "sharded-id.databases.pg1.shards=0-63",
                "sharded-id.databases.pg2.shards=64-127",
                "sharded-id.hikari.maximum-pool-size=" + CONNECTIONS);
    }

    @AfterAll
    static void stop() {
        app.close();
    }

    @Test
    void moreThreadsThanConnectionsReadWhatTheyWrote() throws Exception {
        assertThat(app.bean(ShardedDatabases.class).byName().values())
                .allMatch(pool -> pool instanceof PartitionedDataSource parts && parts.connections() == CONNECTIONS);
        long seed = System.nanoTime();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        Set<Long> ids = new HashSet<>();
        try {
            List<Callable<List<Long>>> work = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                Random random = new Random(seed + i);
                work.add(() -> photos(random));
            }
            for (Future<List<Long>> done : threads.invokeAll(work)) {
                ids.addAll(done.get());
            }
        } catch (Exception e) {
            throw new AssertionError("seed " + seed, e);
        } finally {
            threads.shutdownNow();
        }
        assertThat(ids).hasSize(8 * 30);
        assertThat(app.bean(PhotoRepository.class).findAllById(ids))
                .extracting(Photo::id)
                .containsExactlyInAnyOrderElementsOf(ids);
        for (int database = 0; database < 2; database++) {
            // Beside the pool itself one for reads of transactions (2) and one for the map (2).
            assertThat(app.databases
                            .get(database)
                            .queryLong("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                                    + " AND backend_type = 'client backend' AND pid <> pg_backend_pid()"))
                    .isLessThanOrEqualTo(CONNECTIONS + 4);
        }
    }

    private static List<Long> photos(Random random) {
        List<Long> ids = new ArrayList<>();
        while (ids.size() < 30) {
            User author = app.userIn(random.nextInt(128));
            Photo photo = app.photoOf(author, "before");
            app.inTransaction(() -> app.bean(PhotoRepository.class)
                    .findById(photo.id())
                    .orElseThrow()
                    .setCaption("of " + author.id()));
            assertThat(app.bean(PhotoRepository.class).findByAuthor(author))
                    .extracting(Photo::getCaption)
                    .containsExactly("of " + author.id());
            ids.add(photo.id());
        }
        return ids;
    }

    @Test
    void aRestartOfTheConnectionsIsSurvived() {
        User author = app.userIn(100);
        app.taps.get(1).cut();
        app.taps.get(1).restore();
        org.awaitility.Awaitility.await().ignoreExceptions().until(() -> app.bean(UserRepository.class)
                .findById(author.id())
                .isPresent());
    }
}
