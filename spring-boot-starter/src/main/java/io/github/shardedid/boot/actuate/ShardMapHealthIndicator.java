package io.github.shardedid.boot.actuate;

import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardRanges;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * Health of the cluster: degraded if a database is unreachable, a shard is unowned or has been fenced for longer than statements wait,
 * the ownership is inconsistent, the map is old, or work of a dead process is unfinished; down only if no database can be reached. Queries no database.
 *
 * @param mapAge after which no statement is sent by a map
 * @param unfinished what dead processes have left and this instance cannot complete
 * @param replicationLag by database, the bytes of log that its copies of replicated tables are behind; -1 if no log is kept for it, or it does not read it
 */
record ShardMapHealthIndicator(
        CurrentShardMap map,
        Collection<String> databases,
        Duration fenceWait,
        Duration mapAge,
        Status degraded,
        Supplier<List<String>> unfinished,
        Supplier<Map<String, Long>> replicationLag)
        implements HealthIndicator {
    /** Four files of log: more than what is on its way. */
    private static final long LAG = 64L << 20;

    @Override
    public Health health() {
        ShardMap now = map.get();
        Collection<String> unreachable = now.unreachableDatabases();
        int[] unowned = now.unownedShards();
        Map<String, Long> lag = replicationLag.get();
        List<String> problems = Stream.of(map.problems(), unfinished.get(), silent(lag))
                .flatMap(List::stream)
                .toList();
        String fenced = map.fencedShards(fenceWait).toString();
        boolean old = !map.isRefreshedSince(map.nanoTime() - mapAge.toNanos());
        boolean whole = unreachable.isEmpty() && unowned.length == 0 && fenced.isEmpty() && problems.isEmpty() && !old;
        Status status = unreachable.containsAll(databases) ? Status.DOWN : whole ? Status.UP : degraded;
        Health.Builder health = Health.status(status);
        if (!lag.isEmpty()) {
            health.withDetail("replicationLag", lag);
        }
        return health.withDetail("mapVersion", map.version())
                .withDetail("mapIsOld", old)
                .withDetail("shards", now.shardCount())
                .withDetail("unreachableDatabases", List.copyOf(unreachable))
                .withDetail("unownedShards", ShardRanges.of(unowned).toString())
                .withDetail("fencedShards", fenced)
                .withDetail("problems", problems)
                .build();
    }

    private static List<String> silent(Map<String, Long> lag) {
        return lag.entrySet().stream()
                .filter(each -> each.getValue() < 0 || each.getValue() > LAG)
                .map(
                        each -> "Database " + each.getKey()
                                + (each.getValue() < 0
                                        ? " receives no changes of replicated tables: its replication slot is missing or not in use, or the publication lacks tables. If the database is up, the log of its server has the reason; the start of an instance repairs it, or logs why it cannot."
                                        : " is " + each.getValue()
                                                + " bytes of log behind with the changes of replicated tables. The log of its server has the reason."))
                .toList();
    }
}
