package io.github.shardedid.routing.internal.scatter.ids;

import static java.util.stream.Collectors.groupingBy;

import io.github.shardedid.topology.Cluster;
import java.lang.reflect.Array;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** An array of whole numbers that is the value of a parameter. Safe for use by several threads. */
public final class ArrayOfIds {
    private final String type;
    private final List<Number> elements;
    private @Nullable volatile Map<Integer, List<Number>> byShard;

    private ArrayOfIds(String type, List<Number> elements) {
        this.type = type;
        this.elements = elements;
    }

    /** The array that a method sets, with its arguments; null if it sets something else. */
    public static @Nullable ArrayOfIds of(@Nullable Object[] arguments) throws SQLException {
        @Nullable Object value = arguments.length > 1 ? arguments[1] : null;
        @Nullable
        Object array = value instanceof java.sql.Array ofDriver && isWhole(ofDriver) ? ofDriver.getArray() : value;
        boolean isLong = array instanceof Long[] || array instanceof long[];
        if (array == null || !(isLong || array instanceof Integer[] || array instanceof int[])) {
            return null;
        }
        Object numbers = array;
        return new ArrayOfIds(
                isLong ? "int8" : "int4",
                // NULL equals no id.
                IntStream.range(0, Array.getLength(numbers))
                        .mapToObj(i -> (Number) Array.get(numbers, i))
                        .filter(Objects::nonNull)
                        .toList());
    }

    private static boolean isWhole(java.sql.Array array) throws SQLException {
        return array.getBaseTypeName().equals("int8") || array.getBaseTypeName().equals("int4");
    }

    /** Sets the elements that rows of a shard may have as ids. */
    public void setOn(PreparedStatement statement, int index, int shard, Cluster cluster) throws SQLException {
        Map<Integer, List<Number>> grouped = byShard;
        if (grouped == null) {
            grouped = elements.stream()
                    .filter(id -> cluster.canHaveMade(id.longValue()))
                    .collect(groupingBy(id -> cluster.shardOf(id.longValue())));
            byShard = grouped;
        }
        Object[] own = grouped.getOrDefault(shard, List.of()).toArray();
        statement.setArray(index, statement.getConnection().createArrayOf(type, own));
    }
}
