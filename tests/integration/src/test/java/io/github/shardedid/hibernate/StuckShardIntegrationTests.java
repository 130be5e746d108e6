package io.github.shardedid.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.MissingShards;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.RoutingListener;
import io.github.shardedid.routing.RoutingOptions;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardFencedException;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.test.HandMadeMove;
import io.github.shardedid.test.HeldClock;
import io.github.shardedid.test.OwnThread;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.topology.Cluster;
import jakarta.persistence.PersistenceException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The process that moves shard 0 was killed behind the fence, or shortly before, and nobody resumes the move. */
class StuckShardIntegrationTests implements RoutingListener {
    private static final String MIGRATIONS = "classpath:db/hibernate";
    /** By the clock of the map, which the test holds; so long does nobody wait in fact. */
    private static final Duration WAIT = Duration.ofMinutes(5);

    private static final int CALLERS = 20;

    private final AtomicInteger waits = new AtomicInteger();
    private final TestCluster databases = new TestCluster(IdLayout.DEFAULT, 4, 2, MIGRATIONS);
    private final HeldClock clock = new HeldClock();
    private final Cluster cluster = databases.cluster(clock);
    private final HandMadeMove move = HandMadeMove.of(databases, 0);
    private final SessionFactory sessions = sessions();

    private SessionFactory sessions() {
        org.hibernate.cfg.Configuration configuration = HibernateCluster.configuration(databases);
        configuration
                .getProperties()
                .put(
                        "hibernate.connection.datasource",
                        new RoutingDataSource(
                                cluster,
                                databases.sources(),
                                RoutingOptions.DEFAULT.withFenceWait(WAIT).withListener(this)));
        return configuration.buildSessionFactory();
    }

    @AfterEach
    void close() {
        sessions.close();
        assertThat(databases.activeConnections()).isZero();
        databases.close();
    }

    @Override
    public Watch waiting(int shard, String database) {
        assertThat(shard).isZero();
        waits.incrementAndGet();
        return Watch.NONE;
    }

    private Author save(int shard) {
        return ShardContext.call(
                shard,
                () -> sessions.fromTransaction(session -> {
                    Author saved = new Author("of shard " + shard);
                    session.persist(saved);
                    return saved;
                }));
    }

    private void post(Author author) {
        sessions.inTransaction(
                session -> session.persist(new Picture(session.getReference(Author.class, author.id), "caption")));
    }

    private void read(Author author) {
        sessions.inTransaction(
                session -> assertThat(session.find(Author.class, author.id)).isNotNull());
    }

    /** Posts and reads, each on a thread of its own; null for each that succeeds. */
    private List<CompletableFuture<Throwable>> call(Author author) {
        List<CompletableFuture<Throwable>> calls = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            boolean writes = i % 2 == 0;
            calls.add(OwnThread.run(() -> {
                        if (writes) {
                            post(author);
                        } else {
                            read(author);
                        }
                    })
                    .handle((done, failure) -> failure));
        }
        return calls;
    }

    private static List<Throwable> failures(List<CompletableFuture<Throwable>> calls) throws Exception {
        CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)).get(3, TimeUnit.MINUTES);
        return calls.stream()
                .map(CompletableFuture::join)
                .filter(failure -> failure != null)
                .toList();
    }

    private void refresh() {
        cluster.map().refreshSince(clock.getAsLong());
    }

    /** Until the shard has been fenced for as long as callers wait. */
    private void passWait() {
        clock.advance(WAIT);
        refresh();
    }

    @Test
    @Tag("quick")
    void callersWaitEachForItselfWithoutAConnectionUntilItIsKnownToBeStuckAndThenFailAtOnce() throws Exception {
        Author author = save(0);
        Author other = save(1);
        move.prepare(MIGRATIONS).fence();
        refresh();

        List<CompletableFuture<Throwable>> calls = call(author);
        await().until(() -> waits.get() == CALLERS);
        assertThat(databases.activeConnections()).isZero();
        post(other);
        passWait();

        assertThat(failures(calls)).hasSize(CALLERS).allSatisfy(failure -> assertThat(failure)
                .rootCause()
                .isInstanceOfSatisfying(ShardFencedException.class, e -> assertThat(e.retryAfter())
                        .isPositive())
                .hasMessageContainingAll(
                        "Shard 0", "fenced in database pg1", "ShardMover.resume(0) or ShardMover.abort(0)"));
        assertThatThrownBy(() -> post(author)).hasRootCauseInstanceOf(ShardFencedException.class);
        assertThat(waits).as("one wait per call").hasValue(CALLERS);

        move.copy().switchOver().moved();
        await().ignoreExceptionsInstanceOf(PersistenceException.class).untilAsserted(() -> {
            clock.advance(Duration.ofMillis(500)); // so often such a call has the map refreshed
            post(author);
        });
        assertThat(cluster.map().fencedShards()).isEmpty();
    }

    @Test
    void queriesOverAllShardsCanLeaveItOut() throws Exception {
        save(0);
        save(1);
        move.prepare(MIGRATIONS).fence();
        refresh();
        passWait();
        MissingShards missing = new MissingShards();
        List<Long> found = ShardContext.call(
                ShardSet.all().withoutUnreachable(missing),
                () -> sessions.fromTransaction(session -> session.createQuery("select a.id from Author a", Long.class)
                        .getResultList()));
        assertThat(found).hasSize(1);
        assertThat(missing.shards()).containsExactly(0);
    }

    @Test
    void aShardThatIsAboutToBeFencedIsServedInTheEnd() throws Exception {
        Author author = save(0);
        move.prepare(MIGRATIONS).softFence();
        refresh();

        List<CompletableFuture<Throwable>> calls = call(author);
        await().until(() -> waits.get() == CALLERS);
        passWait();

        assertThat(failures(calls)).isEmpty();
        assertThat(databases.idsIn(0, "picture")).hasSize(CALLERS / 2);
        assertThat(waits).as("one wait per call").hasValue(CALLERS);
    }
}
