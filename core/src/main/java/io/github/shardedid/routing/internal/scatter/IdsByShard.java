package io.github.shardedid.routing.internal.scatter;

import io.github.shardedid.topology.Cluster;
import java.lang.reflect.Array;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The whole numbers of a list, each once, by the shards that can have rows with these ids. Not changed once it
 * is made.
 *
 * <p>A query by a list of ids would otherwise send the whole list to each of many shards, and have each of them
 * look for the ids of all others. Ids that no shard of the cluster can have generated are in no shard's list.
 */
final class IdsByShard {
    private static final Long[] NONE = {};

    private final Cluster cluster;
    private final Map<Integer, Set<Long>> ids = new HashMap<>();

    IdsByShard(Cluster cluster) {
        this.cluster = cluster;
    }

    /**
     * Adds a number, or those of an array.
     *
     * @throws SQLException if it is no whole number, by which no shard can be found
     */
    void add(@Nullable Object value) throws SQLException {
        if (value instanceof java.sql.Array array) {
            add(array.getArray());
        } else if (value != null && value.getClass().isArray()) {
            for (int i = 0; i < Array.getLength(value); i++) {
                add(Array.get(value, i));
            }
        } else if (value instanceof Long || value instanceof Integer || value instanceof Short) {
            long id = ((Number) value).longValue();
            if (cluster.canHaveMade(id)) {
                ids.computeIfAbsent(cluster.shardOf(id), shard -> new LinkedHashSet<>())
                        .add(id);
            }
        } else if (value != null) {
            throw new SQLException(
                    "A list of ids in a query over several shards has the value " + value
                            + ", which is no whole number. Nothing was sent. Set it with setLong, or an array of bigint.",
                    "22023");
        }
    }

    /**
     * Sets those of a shard as one parameter.
     *
     * @param shard null for no shard, which has none of them
     */
    void setOn(PreparedStatement statement, int index, @Nullable Integer shard) throws SQLException {
        Set<Long> own = shard == null ? Set.of() : ids.getOrDefault(shard, Set.of());
        statement.setArray(index, statement.getConnection().createArrayOf("int8", own.toArray(NONE)));
    }
}
