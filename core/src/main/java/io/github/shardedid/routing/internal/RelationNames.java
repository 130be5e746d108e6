package io.github.shardedid.routing.internal;

import java.util.HashSet;
import java.util.Set;

/**
 * Whether a text that has the placeholder names a relation without a schema as well: then the search path matters after
 * all, or the statement would mix the tables of two shards. A false alarm costs a turn at most.
 */
final class RelationNames {
    private static final Set<String> BEFORE = Set.of("FROM", "JOIN", "INTO", "UPDATE", "USING");
    private static final Set<String> BETWEEN = Set.of("ONLY", "LATERAL");
    private static final Set<String> NO_NAMES = Set.of("SET", "OF", "SKIP", "NOWAIT", "SELECT", "VALUES");

    private static final Set<String> FUNCTIONS_WITH_FROM = Set.of("EXTRACT", "TRIM", "SUBSTRING", "OVERLAY");

    private RelationNames() {}

    static boolean anyUnqualified(SqlText text) {
        Set<String> tableExpressions = tableExpressions(text);
        for (int i = 0; i < text.size(); i++) {
            if (BEFORE.contains(text.at(i)) && !text.is(i - 1, ".") && !isNoClause(text, i)) {
                int name = BETWEEN.contains(text.at(i + 1)) ? i + 2 : i + 1;
                if (isUnqualified(text, name) && !tableExpressions.contains(text.raw(name))) {
                    return true;
                }
            }
        }
        return false;
    }

    /** {@code IS DISTINCT FROM}, and the FROM of functions such as {@code extract(year FROM at)}. */
    private static boolean isNoClause(SqlText text, int i) {
        if (!text.is(i, "FROM")) {
            return false;
        }
        if (text.is(i - 1, "DISTINCT") && (text.is(i - 2, "IS") || text.is(i - 3, "IS"))) {
            return true;
        }
        int depth = 0;
        int open = i - 1;
        while (open >= 0 && (depth > 0 || !text.is(open, "("))) {
            depth += text.is(open, ")") ? 1 : text.is(open, "(") ? -1 : 0;
            open--;
        }
        return FUNCTIONS_WITH_FROM.contains(text.at(open - 1));
    }

    private static boolean isUnqualified(SqlText text, int i) {
        return text.isName(i) && !text.is(i + 1, ".") && !text.is(i + 1, "(") && !NO_NAMES.contains(text.at(i));
    }

    /** Names that a WITH gives. */
    private static Set<String> tableExpressions(SqlText text) {
        Set<String> names = new HashSet<>();
        for (int i = 1; i < text.size(); i++) {
            boolean first = text.is(i - 1, "WITH") || text.is(i - 1, "RECURSIVE");
            boolean further = text.is(i - 1, ",") && text.is(i + 1, "AS") && text.is(i + 2, "(");
            if ((first || further) && text.isName(i)) {
                names.add(text.raw(i));
            }
        }
        return names;
    }
}
