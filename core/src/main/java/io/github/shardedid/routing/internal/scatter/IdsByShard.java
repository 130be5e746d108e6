package io.github.shardedid.routing.internal.scatter;

import io.github.shardedid.topology.Cluster;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
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
    /** The ids by shard. */
    private final Map<Integer, Set<@Nullable Long>> ids = new HashMap<>();
    /**
     * All numbers, with null if it was one of the values: {@code NULL} in a list makes a comparison unknown
     * instead of false.
     */
    private final Set<@Nullable Long> all = new LinkedHashSet<>();

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
        } else if (value instanceof BigInteger || value instanceof BigDecimal) {
            try {
                add(new BigDecimal(value.toString()).longValueExact());
            } catch (ArithmeticException e) {
                // Is no bigint, which equals no id.
            }
        } else if (value == null || value instanceof Long || value instanceof Integer || value instanceof Short) {
            Long id = value == null ? null : ((Number) value).longValue();
            all.add(id);
            if (id != null && cluster.canHaveMade(id)) {
                ids.computeIfAbsent(cluster.shardOf(id), shard -> new LinkedHashSet<>())
                        .add(id);
            }
        } else {
            throw new SQLException(
                    "A list of ids in a query over several shards has the value " + value
                            + ", which is no whole number. Nothing was sent. Set it with setLong, or an array of bigint.",
                    "22023");
        }
    }

    /** Sets all of them as one parameter. */
    void setOn(PreparedStatement statement, int index) throws SQLException {
        setOn(statement, index, all);
    }

    /**
     * Sets those of a shard as one parameter, and NULL if it is one of the values.
     *
     * @param shard null for no shard, which has none of them
     */
    void setOn(PreparedStatement statement, int index, @Nullable Integer shard) throws SQLException {
        Set<@Nullable Long> own = new LinkedHashSet<>(shard == null ? Set.of() : ids.getOrDefault(shard, Set.of()));
        if (all.contains(null)) {
            own.add(null);
        }
        setOn(statement, index, own);
    }

    private static void setOn(PreparedStatement statement, int index, Set<@Nullable Long> ids) throws SQLException {
        statement.setArray(index, statement.getConnection().createArrayOf("int8", ids.toArray(NONE)));
    }
}
