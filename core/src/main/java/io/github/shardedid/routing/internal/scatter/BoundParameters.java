package io.github.shardedid.routing.internal.scatter;

import io.github.shardedid.routing.internal.sql.query.RowCount;
import io.github.shardedid.routing.internal.statement.DriverCall;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The parameters of one execution of a query over several shards, set again for each shard. Immutable. */
record BoundParameters(List<Parameter> parameters) {
    /** The call that has set a parameter. */
    public record Setting(Method method, List<@Nullable Object> arguments) {
        @Nullable
        Object value() {
            return method.getName().equals("setNull") ? null : arguments.get(1);
        }
    }

    /**
     * A parameter of the query.
     *
     * @param setting how it was set; of a list, its first element, if there is one
     * @param ids of a list of ids, of which each shard gets its own; else null
     */
    public record Parameter(@Nullable Setting setting, @Nullable IdsByShard ids) {}

    /** Returns how many rows a query asks for; null for all. */
    public @Nullable Long rows(RowCount count) throws SQLException {
        if (count.parameter() == 0) {
            return count.literal();
        }
        Setting setting = Objects.requireNonNull(parameters.get(count.parameter() - 1).setting);
        @Nullable Object value = setting.value();
        Long rows = value instanceof Number number ? whole(number) : null;
        if (value != null && (rows == null || rows < 0)) {
            throw new SQLException(
                    "Parameter " + setting.arguments.get(0) + " is a LIMIT or OFFSET and must be a whole number, 0 or"
                            + " greater, not " + value + ".",
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
    public void setOn(PreparedStatement statement, List<Integer> numbers, List<Integer> shards) throws SQLException {
        int index = 1;
        for (int shard : shards) {
            setOn(statement, index, numbers, shard);
            index += numbers.size();
        }
    }

    /** Sets some parameters from a number on; lists of ids have none. */
    public void setOn(PreparedStatement statement, int from, List<Integer> numbers) throws SQLException {
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
