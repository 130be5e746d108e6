package io.github.shardedid.boot.health;

import io.github.shardedid.routing.RoutingOptions;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardRanges;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * Health of the cluster: degraded if a database is unreachable, a shard is unowned or has been fenced for longer than statements wait,
 * the ownership is inconsistent, or the map is old; down only if no database can be reached. Queries no database.
 */
final class ShardMapHealthIndicator implements HealthIndicator {
    /** Statements are not sent by an older map either. */
    private static final Duration OLD = RoutingOptions.DEFAULT.mapAge();

    private final CurrentShardMap map;
    private final Collection<String> databases;
    private final Duration fenceWait;
    private final Status degraded;

    ShardMapHealthIndicator(CurrentShardMap map, Collection<String> databases, Duration fenceWait, Status degraded) {
        this.map = map;
        this.fenceWait = fenceWait;
        this.databases = List.copyOf(databases);
        this.degraded = degraded;
    }

    @Override
    public Health health() {
        ShardMap now = map.get();
        Collection<String> unreachable = now.unreachableDatabases();
        int[] unowned = now.unownedShards();
        List<String> problems = map.problems();
        String fenced = map.fencedShards(fenceWait).toString();
        boolean old = !map.isRefreshedSince(System.nanoTime() - OLD.toNanos());
        boolean whole = unreachable.isEmpty() && unowned.length == 0 && fenced.isEmpty() && problems.isEmpty() && !old;
        Status status = unreachable.containsAll(databases) ? Status.DOWN : whole ? Status.UP : degraded;
        return Health.status(status)
                .withDetail("mapVersion", map.version())
                .withDetail("mapIsOld", old)
                .withDetail("shards", now.shardCount())
                .withDetail("unreachableDatabases", List.copyOf(unreachable))
                .withDetail("unownedShards", ShardRanges.of(unowned).toString())
                .withDetail("fencedShards", fenced)
                .withDetail("problems", problems)
                .build();
    }
}
