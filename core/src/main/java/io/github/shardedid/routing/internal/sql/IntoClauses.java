package io.github.shardedid.routing.internal.sql;

import io.github.shardedid.routing.internal.sql.lexer.SqlNames;
import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import java.util.Set;

/** Tells the INTO of INSERT and MERGE from that of {@code SELECT 1 AS insert INTO …}, which creates a table. */
final class IntoClauses {
    private static final Set<String> OPTIONS = Set.of("ANALYZE", "ANALYSE", "VERBOSE");
    private static final Set<String> OF_RULES = Set.of("DO", "ALSO", "INSTEAD", "ATOMIC", ";", "(");

    /** What cannot follow the name of a table that SELECT INTO creates. */
    private static final Set<String> AFTER_INSERT_INTO = Set.of("(", "AS", "SELECT", "DEFAULT", "WITH");

    private IntoClauses() {}

    /** Whether INTO belongs to a statement that begins with the word before it. In doubt it does not. */
    static boolean belongsToStatement(SqlText text, int into) {
        int word = into - 1;
        if (!text.is(word, "INSERT") && !text.is(word, "MERGE")) {
            return false;
        }
        String before = text.at(word - 1);
        int start = statementStart(text, word);
        if (word == start || before.equals("(")) {
            return true;
        }
        return switch (text.at(start)) {
            case "EXPLAIN" ->
                word == behindOptions(text, start + 1) || (before.equals(")") && isWrittenTo(text, into + 1));
            case "CREATE" -> OF_RULES.contains(before);
            case "WITH" -> before.equals(")") && isWrittenTo(text, into + 1);
            default -> false;
        };
    }

    private static int behindOptions(SqlText text, int from) {
        int i = from;
        while (OPTIONS.contains(text.at(i))) {
            i++;
        }
        return i == from && text.is(i, "(") ? SqlNames.closing(text, i) + 1 : i;
    }

    private static int statementStart(SqlText text, int i) {
        int start = i;
        while (start > 0 && !text.is(start - 1, ";")) {
            start--;
        }
        return start;
    }

    /** Behind a WITH query or a parenthesis of a SELECT: whether a table follows that exists, perhaps named {@code temp}. */
    private static boolean isWrittenTo(SqlText text, int table) {
        int name = table;
        while (text.is(name + 1, ".")) {
            name += 2;
        }
        return AFTER_INSERT_INTO.contains(text.at(name + 1))
                || (text.is(name + 1, "VALUES") && text.is(name + 2, "("))
                || text.is(name + 1, "USING")
                || text.is(name + 2, "USING");
    }
}
