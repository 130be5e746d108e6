package io.github.shardedid.routing.internal.scatter;

import io.github.shardedid.topology.Cluster;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The whole numbers of a list, each once, by the shards that can have rows with these ids. Not changed once it is made. */
final class IdsByShard {
    private static final Long[] NONE = {};

    private final Cluster cluster;
    private final Map<Integer, Set<@Nullable Long>> ids = new HashMap<>();
    private boolean hasNull;

    private IdsByShard(Cluster cluster) {
        this.cluster = cluster;
    }

    /**
     * Sorts values by their shards.
     *
     * @param values numbers, and arrays of them
     * @return null if one of them is neither
     */
    public static @Nullable IdsByShard of(Collection<? extends @Nullable Object> values, Cluster cluster)
            throws SQLException {
        IdsByShard ids = new IdsByShard(cluster);
        for (Object value : values) {
            if (!ids.add(value instanceof java.sql.Array array ? array.getArray() : value)) {
                return null;
            }
        }
        return ids;
    }

    private boolean add(@Nullable Object value) {
        if (value == null) {
            hasNull = true;
        } else if (value.getClass().isArray()) {
            boolean known = true;
            for (int i = 0; i < Array.getLength(value); i++) {
                known &= add(Array.get(value, i));
            }
            return known;
        } else if (value instanceof BigInteger || value instanceof BigDecimal) {
            addExact(new BigDecimal(value.toString()));
        } else if (value instanceof Long || value instanceof Integer || value instanceof Short) {
            add(((Number) value).longValue());
        } else {
            return false;
        }
        return true;
    }

    /** Adds a number, unless it is no bigint, which equals no id. */
    private void addExact(BigDecimal number) {
        try {
            add(number.longValueExact());
        } catch (ArithmeticException none) {
            // not added
        }
    }

    private void add(long id) {
        if (cluster.canHaveMade(id)) {
            ids.computeIfAbsent(cluster.shardOf(id), shard -> new LinkedHashSet<>())
                    .add(id);
        }
    }

    /** Sets those of a shard, and NULL if it is one of the values; of no shard, none. */
    public void setOn(PreparedStatement statement, int index, @Nullable Integer shard) throws SQLException {
        Set<@Nullable Long> own = new LinkedHashSet<>(shard == null ? Set.of() : ids.getOrDefault(shard, Set.of()));
        if (hasNull) {
            own.add(null);
        }
        statement.setArray(index, statement.getConnection().createArrayOf("int8", own.toArray(NONE)));
    }
}
