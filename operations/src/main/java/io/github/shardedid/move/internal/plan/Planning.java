package io.github.shardedid.move.internal.plan;

import io.github.shardedid.move.Balance;
import io.github.shardedid.move.MovePlan;
import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.map.DatabaseShardMapSource;
import io.github.shardedid.topology.ShardMap;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import javax.sql.DataSource;

/** Reads the shard map and the sizes of the shards, and plans moves from these. */
public final class Planning {
    private final ClusterDefinition definition;
    private final Map<String, DataSource> databases;

    public Planning(ClusterDefinition definition, Map<String, DataSource> databases) {
        this.definition = definition;
        this.databases = databases;
    }

    public MovePlan drain(String database) {
        ShardMap map = map();
        return MovePlanner.drain(map, sizes(map), Balance.SIZE, database, databases.keySet());
    }

    public MovePlan rebalance(Balance by) {
        ShardMap map = map();
        return MovePlanner.rebalance(map, sizes(map), by, databases.keySet());
    }

    private ShardMap map() {
        return new DatabaseShardMapSource(definition, databases).load();
    }

    private Map<Integer, Long> sizes(ShardMap map) {
        Map<Integer, Long> sizes = new HashMap<>();
        databases.forEach((name, data) -> {
            try (Connection connection = data.getConnection()) {
                Map<Integer, Long> all = ShardSizes.of(connection);
                for (int shard : map.shardsOf(name)) {
                    sizes.put(shard, all.getOrDefault(shard, 0L));
                }
            } catch (SQLException e) {
                throw new MoveRefusedException("Database " + name + " cannot be asked for the sizes of its shards: "
                        + FailureReason.of(e) + ".");
            }
        });
        return sizes;
    }
}
