package io.github.shardedid.boot.health;

import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardRanges;
import java.time.Duration;
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
 * a thread of its own, and the answer is what is known until then.
 */
final class DatabaseHealthIndicator implements HealthIndicator {
    private static final Duration LONGEST = Duration.ofMillis(900);

    private final String database;
    private final DataSourceHealthIndicator connection;
    private final CurrentShardMap map;
    private final Status whenDown;
    private final AtomicReference<CompletableFuture<Health>> check = new AtomicReference<>();
    private volatile @Nullable Health last;

    DatabaseHealthIndicator(
            String database, DataSourceHealthIndicator connection, CurrentShardMap map, Status whenDown) {
        this.database = database;
        this.connection = connection;
        this.map = map;
        this.whenDown = whenDown;
    }

    @Override
    public Health health() {
        Health health = checked();
        boolean down = Status.DOWN.equals(health.getStatus());
        return Health.status(down ? whenDown : health.getStatus())
                .withDetails(health.getDetails())
                .withDetail(
                        "shards", ShardRanges.of(map.get().shardsOf(database)).toString())
                .build();
    }

    private Health checked() {
        Health before = last;
        boolean unreachable = map.get().unreachableDatabases().contains(database);
        Health known = unreachable && before != null && Status.DOWN.equals(before.getStatus()) ? before : null;
        try {
            return runningCheck().get(known == null ? LONGEST.toMillis() : 0, TimeUnit.MILLISECONDS);
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
    private CompletableFuture<Health> runningCheck() {
        CompletableFuture<Health> next = new CompletableFuture<>();
        CompletableFuture<Health> running =
                check.updateAndGet(current -> current != null && !current.isDone() ? current : next);
        if (running == next) {
            Thread thread = new Thread(() -> run(next), "sharded-id-health-" + database);
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
