package io.github.shardedid.routing.internal.sql;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a text writes ids that must be of the row's own shard: into the columns that {@link ColocatedColumns} names, by a parameter or
 * by a literal. Values that other expressions compute are not known before they are stored.
 *
 * @param parameters by the number of the parameter, the column that it is written to
 * @param literals those that the text itself writes
 */
public record WrittenIds(Map<Integer, String> parameters, List<Literal> literals) {
    static final WrittenIds NONE = new WrittenIds(Map.of(), List.of());

    /** A number that is written to a column; {@code column} has its table before it. */
    public record Literal(String column, String value) {}

    /** The column that a parameter is written to; null if it is none of these columns. */
    public @Nullable String columnOf(int parameter) {
        return parameters.get(parameter);
    }
}
