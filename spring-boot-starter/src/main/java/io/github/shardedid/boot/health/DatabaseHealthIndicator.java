package io.github.shardedid.boot.health;

import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardRanges;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jdbc.health.DataSourceHealthIndicator;

/** Health of one database, with its shards: these are unavailable while it is down. */
final class DatabaseHealthIndicator implements HealthIndicator {
    private final String database;
    private final DataSourceHealthIndicator connection;
    private final CurrentShardMap map;
    private final Status whenDown;

    DatabaseHealthIndicator(
            String database, DataSourceHealthIndicator connection, CurrentShardMap map, Status whenDown) {
        this.database = database;
        this.connection = connection;
        this.map = map;
        this.whenDown = whenDown;
    }

    @Override
    public Health health() {
        Health health = connection.health();
        boolean down = Status.DOWN.equals(health.getStatus());
        return Health.status(down ? whenDown : health.getStatus())
                .withDetails(health.getDetails())
                .withDetail(
                        "shards", ShardRanges.of(map.get().shardsOf(database)).toString())
                .build();
    }
}
