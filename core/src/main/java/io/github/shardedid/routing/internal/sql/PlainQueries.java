package io.github.shardedid.routing.internal.sql;

import io.github.shardedid.routing.internal.sql.lexer.SqlNames;
import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import io.github.shardedid.routing.internal.sql.names.CurrentTimes;
import java.util.Set;

/**
 * Tells queries that need no transaction from all others, but for what they call, which {@link
 * io.github.shardedid.routing.internal.sql.names.KnownNames} tells. In doubt a query is not plain, which costs a round trip.
 */
final class PlainQueries {
    private static final Set<String> QUERIES = Set.of("SELECT", "WITH", "VALUES", "TABLE");

    /** Wherever they stand. */
    private static final Set<String> WRITES = Set.of("INSERT", "UPDATE", "DELETE", "MERGE", "INTO");

    private PlainQueries() {}

    /** Whether a text without conspicuous traits is a single query. */
    static boolean isPlain(SqlText text) {
        int start = SqlNames.behindOpening(text, 0);
        if (!QUERIES.contains(text.at(start))) {
            return false;
        }
        for (int i = start; i < text.size(); i++) {
            if (WRITES.contains(text.at(i)) || CurrentTimes.isAt(text, i) || isEscapeOrEnd(text, i)) {
                return false;
            }
        }
        return true;
    }

    /** The driver's {@code {fn now()}}, and a semicolon that ends more than the text. */
    private static boolean isEscapeOrEnd(SqlText text, int i) {
        return text.is(i, "{") || (text.is(i, ";") && i + 1 < text.size());
    }
}
