package io.github.shardedid.routing.internal.scatter;

import io.github.shardedid.routing.internal.sql.query.RowCount;
import io.github.shardedid.routing.internal.sql.query.ScatterQuery;
import io.github.shardedid.routing.internal.sql.query.ValueLists;
import io.github.shardedid.routing.internal.statement.DriverCall;
import io.github.shardedid.topology.Cluster;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The parameters that were set on a statement for several shards. For one thread at a time. */
final class ScatterParameters {
    private static final Pattern READ_ONCE = Pattern.compile("set.*(Stream|Blob|Clob)");

    private final Map<Integer, Setting> settings = new HashMap<>();

    void set(Method method, @Nullable Object[] arguments) throws SQLException {
        if (READ_ONCE.matcher(method.getName()).matches()) {
            throw new SQLFeatureNotSupportedException(method.getName()
                    + " gives a value that can be read once, but a query over several shards sends it to each. Use"
                    + " setBytes or setString.");
        }
        if (!(arguments[0] instanceof Integer index)) {
            throw new SQLException("Parameters have numbers, not " + arguments[0] + ".", "22023");
        }
        settings.put(index, new Setting(method, Arrays.asList(arguments.clone())));
    }

    void clear() {
        settings.clear();
    }

    private Setting setting(int parameter) throws SQLException {
        Setting setting = settings.get(parameter);
        if (setting == null) {
            throw new SQLException("No value is set for parameter " + parameter + ".", "22023");
        }
        return setting;
    }

    /**
     * Returns the parameters of a query, as they are now.
     *
     * @param values what the query's parameters stand for
     * @return null if a list has other values than whole numbers
     */
    @Nullable
    Bound bound(ScatterQuery query, List<ValueLists.Values> values, Cluster cluster) throws SQLException {
        Set<Integer> lists = query.listsOfIds().keySet();
        List<Bound.Parameter> bound = new ArrayList<>();
        for (ValueLists.Values each : values) {
            IdsByShard ids = each.isList() || lists.contains(bound.size() + 1) ? ids(each, cluster) : null;
            if (ids == null && each.isList()) {
                return null;
            }
            bound.add(new Bound.Parameter(
                    each.parameters().isEmpty()
                            ? null
                            : setting(each.parameters().get(0)),
                    ids));
        }
        return new Bound(bound);
    }

    private @Nullable IdsByShard ids(ValueLists.Values values, Cluster cluster) throws SQLException {
        List<@Nullable Object> all = new ArrayList<>(values.numbers());
        for (int parameter : values.parameters()) {
            all.add(setting(parameter).value());
        }
        if (values.hasNull()) {
            all.add(null);
        }
        return IdsByShard.of(all, cluster);
    }

    /** The call that has set a parameter. */
    record Setting(Method method, List<@Nullable Object> arguments) {
        @Nullable
        Object value() {
            return method.getName().equals("setNull") ? null : arguments.get(1);
        }
    }

    /** The parameters of one execution of a query over several shards, set again for each shard. Immutable. */
    record Bound(List<Parameter> parameters) {
        /**
         * A parameter of the query.
         *
         * @param setting how it was set; of a list, its first element, if there is one
         * @param ids of a list of ids, of which each shard gets its own; else null
         */
        record Parameter(@Nullable Setting setting, @Nullable IdsByShard ids) {}

        /** Returns how many rows a query asks for; null for all. */
        @Nullable
        Long rows(RowCount count) throws SQLException {
            if (count.parameter() == 0) {
                return count.literal();
            }
            Setting setting = Objects.requireNonNull(parameters.get(count.parameter() - 1).setting);
            @Nullable Object value = setting.value();
            Long rows = value instanceof Number number ? whole(number) : null;
            if (value != null && (rows == null || rows < 0)) {
                throw new SQLException(
                        "Parameter " + setting.arguments.get(0)
                                + " is a LIMIT or OFFSET and must be a whole number, 0 or" + " greater, not " + value
                                + ".",
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

        /** Sets some parameters for each shard's arm. */
        void setOn(PreparedStatement statement, List<Integer> numbers, List<Integer> shards) throws SQLException {
            int index = 1;
            for (int shard : shards) {
                setOn(statement, index, numbers, shard);
                index += numbers.size();
            }
        }

        /** Sets some parameters from a number on; lists of ids have none. */
        void setOn(PreparedStatement statement, int from, List<Integer> numbers) throws SQLException {
            setOn(statement, from, numbers, null);
        }

        private void setOn(PreparedStatement statement, int from, List<Integer> numbers, @Nullable Integer shard)
                throws SQLException {
            int index = from;
            for (int number : numbers) {
                Parameter parameter = parameters.get(number - 1);
                if (parameter.ids != null) {
                    parameter.ids.setOn(statement, index, shard);
                } else if (parameter.setting != null) {
                    @Nullable Object[] moved = parameter.setting.arguments.toArray();
                    moved[0] = index;
                    DriverCall.invoke(statement, parameter.setting.method, moved);
                }
                index++;
            }
        }
    }
}
