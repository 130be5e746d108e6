package io.github.shardedid.boot.actuate;

import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardRanges;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jdbc.health.DataSourceHealthIndicator;

/**
 * Health of one database, with its shards: these are unavailable while it is down. A check that takes longer than a second goes on in
 * a thread of its own, and the answer is what is known until then. The databases are checked at the same time: several that are silent
 * take no longer than one.
 */
final class DatabaseHealthIndicator implements HealthIndicator {
    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(900);

    /** Enough for a pool that has a connection. */
    private static final long BRIEF_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final String database;
    private final DataSourceHealthIndicator connection;
    private final CurrentShardMap map;
    private final Status whenDown;
    private final Collection<? extends HealthIndicator> all;
    private final AtomicReference<Check> check = new AtomicReference<>();
    private volatile @Nullable Health last;

    /** Keeps the collection of all indicators, which is complete when it is first asked. */
    DatabaseHealthIndicator(
            String database,
            DataSourceHealthIndicator connection,
            CurrentShardMap map,
            Status whenDown,
            Collection<? extends HealthIndicator> all) {
        this.database = database;
        this.connection = connection;
        this.map = map;
        this.whenDown = whenDown;
        this.all = all;
    }

    /**
     * A check of the connection.
     *
     * @param started by {@code nanoTime}
     */
    private record Check(long started, CompletableFuture<Health> result) {
        Check() {
            this(System.nanoTime(), new CompletableFuture<>());
        }

        Health get(long nanos) throws InterruptedException, ExecutionException, TimeoutException {
            return result.get(started + nanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        }
    }

    @Override
    public Health health() {
        for (HealthIndicator each : all) {
            if (each instanceof DatabaseHealthIndicator other) {
                other.runningCheck();
            }
        }
        ShardMap now = map.get();
        String reason = now.unreachableReasons().get(database);
        Health health = checked(reason != null);
        ShardRanges shards = ShardRanges.of(now.shardsOf(database));
        boolean notServed = reason != null && shards.toString().isEmpty();
        boolean down = notServed || Status.DOWN.equals(health.getStatus());
        Health.Builder answer = Health.status(down ? whenDown : health.getStatus())
                .withDetails(health.getDetails())
                .withDetail("shards", shards.toString());
        return reason == null
                ? answer.build()
                : answer.withDetail("unavailableBecause", reason).build();
    }

    private Health checked(boolean unreachable) {
        Health before = last;
        Health known = unreachable && before != null && Status.DOWN.equals(before.getStatus()) ? before : null;
        try {
            return runningCheck().get(known != null ? 0 : unreachable ? BRIEF_NANOS : LONGEST_NANOS);
        } catch (TimeoutException e) {
            return known == null ? unanswered(unreachable) : known;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return unanswered(unreachable);
        } catch (ExecutionException e) {
            return Health.down(e).build();
        }
    }

    private static Health unanswered(boolean unreachable) {
        return unreachable
                ? Health.down()
                        .withDetail("error", "Neither the pool nor the shard map can reach the database")
                        .build()
                : Health.unknown()
                        .withDetail(
                                "error",
                                "The pool has had no connection for a second; the shard map reaches the database")
                        .build();
    }

    /** One check at a time, however many ask. */
    private Check runningCheck() {
        Check next = new Check();
        Check running = check.updateAndGet(
                current -> current != null && !current.result().isDone() ? current : next);
        if (running.result() == next.result()) {
            Thread thread = new Thread(() -> run(next.result()), "sharded-id-health-" + database);
            thread.setDaemon(true);
            thread.start();
        }
        return running;
    }

    private void run(CompletableFuture<Health> result) {
        try {
            Health health = connection.health();
            last = health;
            result.complete(health);
        } catch (Throwable e) {
            result.completeExceptionally(e);
        }
    }
}
