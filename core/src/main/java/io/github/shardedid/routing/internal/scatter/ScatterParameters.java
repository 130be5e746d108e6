package io.github.shardedid.routing.internal.scatter;

import io.github.shardedid.routing.internal.sql.grammar.SqlSpan;
import io.github.shardedid.routing.internal.sql.query.ArmParameter;
import io.github.shardedid.routing.internal.sql.query.ScatterQuery;
import io.github.shardedid.routing.internal.statement.RecordedCalls.Call;
import io.github.shardedid.topology.Cluster;
import java.lang.reflect.Method;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of one execution of a query over several shards, as they were when it began. Not changed once it is
 * made.
 *
 * <p>The driver's statements do not exist yet when they are set, and each value is sent to several shards. So
 * the calls are recorded, and repeated for each of them.
 *
 * @param calls that have set them, by the numbers of the parameters
 * @param lists the lists of ids, by what they are in the arms
 */
record ScatterParameters(List<@Nullable Call> calls, Map<ArmParameter, IdsByShard> lists) {
    private static final Pattern READ_ONCE = Pattern.compile("set.*(Stream|Blob|Clob)");

    /** Refuses a call that sets what cannot be sent to several shards. */
    static void require(Method method, @Nullable Object index) throws SQLException {
        if (READ_ONCE.matcher(method.getName()).matches()) {
            throw new SQLFeatureNotSupportedException(method.getName()
                    + " gives a value that can be read once, but a query over several shards sends it to each. Use"
                    + " setBytes or setString.");
        } else if (!(index instanceof Integer)) {
            throw new SQLException("Parameters have numbers, not " + index + ".", "22023");
        }
    }

    /** Returns the parameters of a query. */
    static ScatterParameters of(List<@Nullable Call> calls, ScatterQuery query, Cluster cluster) throws SQLException {
        ScatterParameters bound = new ScatterParameters(calls, new HashMap<>());
        for (ArmParameter each : query.parameters()) {
            if (each.isList() && !bound.lists.containsKey(each)) {
                IdsByShard ids = new IdsByShard(cluster);
                for (long number : each.numbers()) {
                    ids.add(number);
                }
                for (int parameter : each.parameters()) {
                    ids.add(bound.call(parameter).value());
                }
                bound.lists.put(each, ids);
            }
        }
        return bound;
    }

    private Call call(int parameter) throws SQLException {
        Call call = parameter < calls.size() ? calls.get(parameter) : null;
        if (call == null) {
            throw new SQLException("No value is set for parameter " + parameter + ".", "22023");
        }
        return call;
    }

    /**
     * Returns how many rows a query asks for; null for all.
     *
     * @param count what is written behind LIMIT, FETCH or OFFSET
     */
    @Nullable
    Long rows(@Nullable SqlSpan count) throws SQLException {
        if (count == null || count.is("ALL") || count.is("NULL")) {
            return null;
        } else if (!count.is("?")) {
            return count.isEmpty() ? 1 : Long.valueOf(count.sql());
        }
        int parameter = count.parameters().get(0);
        @Nullable Object value = call(parameter).value();
        boolean whole = value instanceof Long || value instanceof Integer || value instanceof Short;
        Long rows = whole ? ((Number) Objects.requireNonNull(value)).longValue() : null;
        if (value != null && (rows == null || rows < 0)) {
            throw new SQLException(
                    "Parameter " + parameter
                            + " is a LIMIT or OFFSET and must be a whole number, an int or a long, 0 or greater, not "
                            + value + ".",
                    "2201W");
        }
        return rows;
    }

    /**
     * Sets the parameters of an arm from a number on.
     *
     * @param shard the shard of the arm; null for none
     * @return the next number
     */
    int setOn(PreparedStatement statement, int from, List<ArmParameter> parameters, @Nullable Integer shard)
            throws SQLException {
        int index = from;
        for (ArmParameter parameter : parameters) {
            IdsByShard ids = lists.get(parameter);
            if (ids == null) {
                call(parameter.parameters().get(0)).setOn(statement, index);
            } else {
                ids.setOn(statement, index, shard);
            }
            index++;
        }
        return index;
    }

    /** Sets some of the query's parameters from a number on, for the merging statement. */
    void setOn(PreparedStatement statement, int from, List<Integer> numbers) throws SQLException {
        for (int i = 0; i < numbers.size(); i++) {
            call(numbers.get(i)).setOn(statement, from + i);
        }
    }
}
