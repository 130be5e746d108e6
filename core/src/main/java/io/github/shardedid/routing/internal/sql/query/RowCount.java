package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.internal.sql.grammar.ScatterRefusal;
import io.github.shardedid.routing.internal.sql.grammar.SqlSpan;
import org.jspecify.annotations.Nullable;

/**
 * A number of rows in a LIMIT, FETCH or OFFSET.
 *
 * @param literal the number if it is written there; null if it is not there at all or a parameter
 * @param parameter the number, from 1, of the parameter that has it; 0 if there is none
 */
public record RowCount(@Nullable Long literal, int parameter) {
    static final RowCount NONE = new RowCount(null, 0);

    /** Of a LIMIT or FETCH, which counts one row if it says no number; none if there is none. */
    static RowCount ofLimit(@Nullable SqlSpan limit) {
        return limit == null ? NONE : limit.isEmpty() ? new RowCount(1L, 0) : of(limit);
    }

    /** Reads the tokens behind the keyword. */
    static RowCount of(SqlSpan value) {
        SqlText text = value.text();
        if (value.is("ALL") || value.is("NULL")) {
            return NONE;
        }
        if (value.is("?")) {
            return new RowCount(null, value.parameters().get(0));
        }
        try {
            if (value.size() == 1) {
                return new RowCount(Long.valueOf(value.sql()), 0);
            }
        } catch (NumberFormatException notANumber) {
            // refused below
        }
        throw ScatterRefusal.of(
                "LIMIT, FETCH or OFFSET " + value.sql(), text, "Write a number of rows or a parameter.");
    }
}
