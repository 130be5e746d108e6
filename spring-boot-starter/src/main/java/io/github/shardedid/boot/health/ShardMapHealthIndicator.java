package io.github.shardedid.boot.health;

import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardRanges;
import java.util.Collection;
import java.util.List;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * Health of the cluster: degraded if a database is unreachable, a shard is unowned or the ownership is inconsistent; down only if no
 * database can be reached. Queries no database.
 */
final class ShardMapHealthIndicator implements HealthIndicator {
    private final CurrentShardMap map;
    private final Collection<String> databases;
    private final Status degraded;

    ShardMapHealthIndicator(CurrentShardMap map, Collection<String> databases, Status degraded) {
        this.map = map;
        this.databases = List.copyOf(databases);
        this.degraded = degraded;
    }

    @Override
    public Health health() {
        ShardMap now = map.get();
        Collection<String> unreachable = now.unreachableDatabases();
        int[] unowned = now.unownedShards();
        List<String> problems = map.problems();
        boolean whole = unreachable.isEmpty() && unowned.length == 0 && problems.isEmpty();
        Status status = unreachable.containsAll(databases) ? Status.DOWN : whole ? Status.UP : degraded;
        return Health.status(status)
                .withDetail("mapVersion", map.version())
                .withDetail("shards", now.shardCount())
                .withDetail("unreachableDatabases", List.copyOf(unreachable))
                .withDetail("unownedShards", ShardRanges.of(unowned).toString())
                .withDetail("problems", problems)
                .build();
    }
}
