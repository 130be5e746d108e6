package io.github.shardedid.boot.actuate;

import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardRanges;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jdbc.health.DataSourceHealthIndicator;

/**
 * Health of one database, with its shards: these are unavailable while it is down. A database that the shard map cannot reach is down,
 * without a question. Otherwise the pool is asked; a check that takes longer than a second goes on in a thread of its own.
 */
final class DatabaseHealthIndicator implements HealthIndicator {
    private final String database;
    private final DataSourceHealthIndicator connection;
    private final CurrentShardMap map;
    private final Status whenDown;
    private final AtomicReference<@Nullable FutureTask<Health>> check = new AtomicReference<>();

    DatabaseHealthIndicator(
            String database, DataSourceHealthIndicator connection, CurrentShardMap map, Status whenDown) {
        this.database = database;
        this.connection = connection;
        this.map = map;
        this.whenDown = whenDown;
    }

    @Override
    public Health health() {
        ShardMap now = map.get();
        String reason = now.unreachableReasons().get(database);
        Health health = reason == null
                ? checked()
                : Health.down()
                        .withDetail("error", "The shard map cannot reach the database")
                        .withDetail("unavailableBecause", reason)
                        .build();
        return Health.status(Status.DOWN.equals(health.getStatus()) ? whenDown : health.getStatus())
                .withDetails(health.getDetails())
                .withDetail("shards", ShardRanges.of(now.shardsOf(database)).toString())
                .build();
    }

    /** One check at a time, however many ask. */
    private Health checked() {
        FutureTask<Health> next = new FutureTask<>(connection::health);
        FutureTask<Health> running =
                check.updateAndGet(current -> current != null && !current.isDone() ? current : next);
        if (next.equals(running)) {
            Thread thread = new Thread(next, "sharded-id-health-" + database);
            thread.setDaemon(true);
            thread.start();
        }
        try {
            return running == null ? Health.unknown().build() : running.get(900, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            return Health.down(e).build();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Health.unknown().build();
        } catch (TimeoutException e) {
            return Health.unknown()
                    .withDetail(
                            "error", "The pool has had no connection for a second; the shard map reaches the database")
                    .build();
        }
    }
}
