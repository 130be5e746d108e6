package io.github.shardedid.routing.internal.sql.ids;

import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a text writes ids that must be of the row's own shard: into the columns that {@link ColocatedColumns} names. What the
 * database computes without a parameter or a number of the text is not known before it is stored.
 *
 * @param parameters by the number of the parameter, the column that it is written to
 * @param literals those that the text itself writes
 * @param unreadable the columns whose values might be such ids, but cannot be read
 */
public record WrittenIds(Map<Integer, String> parameters, List<Literal> literals, List<Unreadable> unreadable) {
    static final WrittenIds NONE = new WrittenIds(Map.of(), List.of(), List.of());

    /** A number that is written to a column; {@code column} has its table before it. */
    public record Literal(String column, BigInteger value) {}

    /** A column, with its table before it, and why its value cannot be read. */
    public record Unreadable(String column, String reason) {}

    /** Whether the text itself writes none of them, and everything could be read. */
    public boolean haveNoneInText() {
        return literals.isEmpty() && unreadable.isEmpty();
    }

    /** The column that a parameter is written to; null if it is none of these columns. */
    public @Nullable String columnOf(int parameter) {
        return parameters.get(parameter);
    }
}
