package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.internal.sql.SqlAnalysis;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The names that PostgreSQL gives to the columns of a query. It chooses those of casts, conditions and operations by rules of its
 * grammar, so it is asked for them, once. Safe for use by several threads.
 */
public final class ColumnLabels {
    private final SqlAnalysis query;
    private final List<Integer> parameters;
    private volatile @Nullable List<String> known;

    /** With the query as it is written, and which of its parameters, numbered from 1, that has. */
    ColumnLabels(SqlAnalysis query, List<Integer> parameters) {
        this.query = query;
        this.parameters = parameters;
    }

    /** A query without rows whose columns have the names. */
    public String sql(String schema) {
        return "(" + query.inSchema(schema) + ") limit 0";
    }

    public List<Integer> parameters() {
        return parameters;
    }

    /** The names; null as long as they are not known. */
    public @Nullable List<String> known() {
        return known;
    }

    public void set(List<String> names) {
        known = List.copyOf(names);
    }
}
