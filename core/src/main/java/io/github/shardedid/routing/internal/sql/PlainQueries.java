package io.github.shardedid.routing.internal.sql;

import io.github.shardedid.routing.internal.sql.lexer.SqlNames;
import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import io.github.shardedid.routing.internal.sql.names.BuiltInOperators;
import io.github.shardedid.routing.internal.sql.names.CallNames;
import io.github.shardedid.routing.internal.sql.names.CurrentTimes;
import io.github.shardedid.routing.internal.sql.names.HarmlessFunctions;
import java.util.Set;

/**
 * Tells queries that need no transaction from all others: they call no function but those that are known to write
 * nothing and to know nothing of transactions. In doubt a query is not plain, which costs a round trip. What no text shows is
 * overlooked: a view, an operator, a cast or a policy that calls a function that writes.
 */
final class PlainQueries {
    private static final Set<String> QUERIES = Set.of("SELECT", "WITH", "VALUES", "TABLE");

    /** Wherever they stand. */
    private static final Set<String> WRITES = Set.of("INSERT", "UPDATE", "DELETE", "MERGE", "INTO");

    private PlainQueries() {}

    /** Whether a text without conspicuous traits is a single plain query. */
    static boolean isPlain(SqlText text) {
        int start = SqlNames.behindOpening(text, 0);
        if (!QUERIES.contains(text.at(start))) {
            return false;
        }
        for (int i = start; i < text.size(); i++) {
            boolean call = text.isName(i) && text.is(i + 1, "(");
            boolean locks = text.is(i - 1, ".") && isAdvisoryLock(text, i);
            boolean foreign = BuiltInOperators.isForeign(text, i);
            if (WRITES.contains(text.at(i))
                    || CurrentTimes.isAt(text, i)
                    || isEscapeOrEnd(text, i)
                    || locks
                    || foreign
                    || (call && !isHarmless(text, i))) {
                return false;
            }
        }
        return true;
    }

    /** Whether a token is the name of a function that takes or releases an advisory lock. */
    private static boolean isAdvisoryLock(SqlText text, int i) {
        String name = text.isName(i) ? SqlNames.folded(text, i) : "";
        return name.startsWith("pg_advisory_") || name.startsWith("pg_try_advisory_");
    }

    /** The driver's {@code {fn now()}}, and a semicolon that ends more than the text. */
    private static boolean isEscapeOrEnd(SqlText text, int i) {
        return text.is(i, "{") || (text.is(i, ";") && i + 1 < text.size());
    }

    /** Whether a name before a parenthesis calls nothing, or a function that is known. */
    private static boolean isHarmless(SqlText text, int i) {
        return switch (text.at(i - 1)) {
            case "." -> text.is(i - 2, "PG_CATALOG") && HarmlessFunctions.contains(text.at(i));
            // A type, the columns of an alias, or a table expression.
            case "AS", "WITH", "RECURSIVE" -> true;
            case "::" -> true;
            default ->
                HarmlessFunctions.contains(text.at(i))
                        || (HarmlessFunctions.isKeyword(text.at(i)) && new CallNames(text).standsAsKeyword(i));
        };
    }
}
