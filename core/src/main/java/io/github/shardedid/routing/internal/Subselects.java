package io.github.shardedid.routing.internal;

import io.github.shardedid.routing.RoutingDataSource;
import java.util.HashSet;
import java.util.Set;

/**
 * A subselect sees the rows of its own shard only. That is right where it asks about rows that belong to the outer row,
 * which live in the same shard; one that asks about all rows by itself would get another answer in each shard.
 */
final class Subselects {
    private static final Set<String> IN_PLACE_OF_A_TABLE = Set.of("IN", "FROM", "JOIN", "LATERAL", "UNION");
    private static final Set<String> COLLAPSING = Set.of("DISTINCT", "GROUP", "LIMIT", "FETCH", "INTERSECT", "EXCEPT");

    private Subselects() {}

    /** Refuses the first one that asks about all rows. */
    static void check(SqlText text, int end, int from) {
        for (int open = 1; open < end; open++) {
            if (SqlNames.opensSelect(text, open)) {
                SqlSpan inner = new SqlSpan(text, open + 1, SqlNames.closing(text, open));
                boolean existsOnly = open == 2 && Aggregate.isExists(new SqlSpan(text, 1, end));
                boolean right = isCorrelated(inner)
                        || (!collapses(inner, existsOnly) && (existsOnly || isInPlaceOfTable(text, open, from)));
                if (!right) {
                    throw ScatterRefusal.of(
                            "A subselect that asks about all rows",
                            text,
                            "Ask for its result first, and pass it as a parameter.");
                }
            }
        }
    }

    /** Whether it names a table or alias that it does not introduce itself. */
    private static boolean isCorrelated(SqlSpan inner) {
        SqlText text = inner.text();
        Set<String> introduced = new HashSet<>();
        introduced.add(RoutingDataSource.SCHEMA_PLACEHOLDER);
        for (int i = inner.from(); i < inner.to(); i++) {
            if (text.isName(i) && !text.is(i + 1, ".")) {
                introduced.add(SqlNames.folded(text, i));
            }
        }
        for (int i = inner.from(); i < inner.to(); i++) {
            boolean qualifier = text.isName(i) && text.is(i + 1, ".") && !text.is(i - 1, ".");
            if (qualifier && !introduced.contains(SqlNames.folded(text, i))) {
                return true;
            }
        }
        return false;
    }

    private static boolean collapses(SqlSpan inner, boolean existsOnly) {
        SqlText text = inner.text();
        for (int i = inner.from(); i < inner.to(); i++) {
            boolean limit = text.is(i, "LIMIT") || text.is(i, "FETCH");
            boolean distinctFrom = text.is(i, "DISTINCT") && text.is(i + 1, "FROM");
            boolean column = text.is(i - 1, ".");
            boolean union = text.is(i, "UNION") && !text.is(i + 1, "ALL");
            if (Aggregate.isCall(text, i)
                    || union
                    || (COLLAPSING.contains(text.at(i)) && !column && !distinctFrom && !(limit && existsOnly))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isInPlaceOfTable(SqlText text, int open, int from) {
        int before = open - 1;
        while (text.is(before, "(")) {
            before--;
        }
        return IN_PLACE_OF_A_TABLE.contains(text.at(before))
                || (text.is(before, "ALL") && text.is(before - 1, "UNION"))
                || (text.is(before, ",") && before > from);
    }
}
