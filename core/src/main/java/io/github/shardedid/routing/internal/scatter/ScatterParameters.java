package io.github.shardedid.routing.internal.scatter;

import io.github.shardedid.routing.internal.scatter.ids.ArrayOfIds;
import io.github.shardedid.routing.internal.sql.query.RowCount;
import io.github.shardedid.routing.internal.sql.query.ScatterQuery;
import io.github.shardedid.routing.internal.statement.DriverCall;
import io.github.shardedid.topology.Cluster;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Types;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The parameters that were set on a statement for several shards; set again for each shard. For one thread at a time. */
public final class ScatterParameters {
    private static final Pattern READ_ONCE = Pattern.compile("set.*(Stream|Blob|Clob)");

    private final Map<Integer, Setting> settings = new HashMap<>();

    /**
     * A parameter.
     *
     * @param ids of an array of whole numbers, those that a shard may have; else null
     */
    private record Setting(Method method, List<@Nullable Object> arguments, @Nullable ArrayOfIds ids) {}

    void set(Method method, @Nullable Object[] arguments) throws SQLException {
        if (READ_ONCE.matcher(method.getName()).matches()) {
            throw new SQLFeatureNotSupportedException(method.getName()
                    + " gives a value that can be read once, but a query over several shards sends it to each. Use"
                    + " setBytes or setString.");
        }
        if (!(arguments[0] instanceof Integer index)) {
            throw new SQLException("Parameters have numbers, not " + arguments[0] + ".", "22023");
        }
        settings.put(index, new Setting(method, Arrays.asList(arguments.clone()), ArrayOfIds.of(arguments)));
    }

    void clear() {
        settings.clear();
    }

    void requireAll(int count) throws SQLException {
        for (int i = 1; i <= count; i++) {
            setting(i);
        }
    }

    private Setting setting(int parameter) throws SQLException {
        Setting setting = settings.get(parameter);
        if (setting == null) {
            throw new SQLException("No value is set for parameter " + parameter + ".", "22023");
        }
        return setting;
    }

    /** How many rows a query asks for; null for all. */
    @Nullable
    Long rows(RowCount count) throws SQLException {
        return count.parameter() == 0 ? count.literal() : rows(count.parameter());
    }

    /** A parameter that counts rows; null for no bound. */
    private @Nullable Long rows(int parameter) throws SQLException {
        @Nullable Object value = setting(parameter).arguments.get(1);
        if (value == null || setting(parameter).method.getName().equals("setNull")) {
            return null;
        }
        Long rows = value instanceof Number number ? whole(number) : null;
        if (rows == null || rows < 0) {
            throw new SQLException(
                    "Parameter " + parameter + " is a LIMIT or OFFSET and must be a whole number, 0 or greater, not "
                            + value + ".",
                    "2201W");
        }
        return rows;
    }

    /** Null if it is none: PostgreSQL rounds a fraction, by rules that depend on its type. */
    private static @Nullable Long whole(Number number) {
        try {
            return new BigDecimal(number.toString()).longValueExact();
        } catch (NumberFormatException | ArithmeticException notWhole) {
            return null;
        }
    }

    /**
     * Sets the parameters of each shard's arm. Of a list of ids, a shard gets its own, and NULL for the others; of an array, an array of
     * its own.
     */
    void setOn(PreparedStatement statement, ScatterQuery query, List<Integer> shards, Cluster cluster)
            throws SQLException {
        int index = 1;
        for (int shard : shards) {
            for (int parameter : query.armParameters()) {
                Setting setting = setting(parameter);
                ArrayOfIds ids = setting.ids;
                boolean isList = query.ownIds().contains(parameter);
                if (isList && ids != null) {
                    ids.setOn(statement, index, shard, cluster);
                } else if (!isList || mayBeOf(shard, setting, cluster)) {
                    setOn(statement, index, List.of(parameter));
                } else {
                    statement.setNull(index, typeOf(setting));
                }
                index++;
            }
        }
    }

    private static boolean mayBeOf(int shard, Setting setting, Cluster cluster) {
        @Nullable Object value = setting.arguments.get(1);
        if (!(value instanceof Long || value instanceof Integer)
                || setting.method.getName().equals("setNull")) {
            return true;
        }
        long id = ((Number) value).longValue();
        return cluster.canHaveMade(id) && cluster.shardOf(id) == shard;
    }

    /** As the driver sends the value itself, so that the statement stays prepared. */
    private static int typeOf(Setting setting) {
        return setting.arguments.get(1) instanceof Integer ? Types.INTEGER : Types.BIGINT;
    }

    /** Sets parameters from a number on. */
    void setOn(PreparedStatement statement, int from, List<Integer> parameters) throws SQLException {
        int index = from;
        for (int parameter : parameters) {
            Setting setting = setting(parameter);
            @Nullable Object[] moved = setting.arguments.toArray();
            moved[0] = index++;
            DriverCall.invoke(statement, setting.method, moved);
        }
    }
}
