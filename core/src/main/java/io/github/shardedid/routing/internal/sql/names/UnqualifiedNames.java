package io.github.shardedid.routing.internal.sql.names;

import io.github.shardedid.routing.internal.sql.lexer.SqlKeywords;
import io.github.shardedid.routing.internal.sql.lexer.SqlNames;
import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import io.github.shardedid.routing.internal.sql.lexer.SqlToken;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds names whose meaning depends on the search path. A text depends on nothing only where each name is known to be a column,
 * an alias, a built-in function or type, or has a schema; whatever is not understood counts as dependent, which costs a round
 * trip at most.
 */
public final class UnqualifiedNames {
    private static final Set<String> UNDERSTOOD =
            Set.of("SELECT", "WITH", "VALUES", "INSERT", "UPDATE", "DELETE", "MERGE");

    /** Reserved words behind which a list of tables is over. An unreserved word might be an alias. */
    private static final Set<String> AFTER_TABLES = SqlKeywords.words(
            """
            WHERE GROUP HAVING WINDOW ORDER LIMIT OFFSET FETCH FOR UNION INTERSECT EXCEPT RETURNING SELECT
            """);

    /** Words that stand where a table is expected. */
    private static final Set<String> BEFORE_TABLE = Set.of("ONLY", "LATERAL", "SELECT", "WITH", "VALUES", "TABLE");

    private static final Set<String> FUNCTIONS_WITH_FROM = Set.of("EXTRACT", "TRIM", "SUBSTRING", "OVERLAY");
    private static final Set<String> BEFORE_NO_TABLE = Set.of("FOR", "KEY", "DO", "THEN");

    private final SqlText text;
    private final CallNames calls;
    private final Deque<Level> levels = new ArrayDeque<>();
    private final Set<String> tableExpressions = new HashSet<>();
    private Level level = new Level("");
    private @Nullable String tableExpression;
    private boolean recursive;
    private boolean relations;
    private boolean others;
    private boolean unknownCode;

    /** What is between two parentheses, or outside of all. */
    private static final class Level {
        /** The name or word before the opening parenthesis. */
        final String opener;

        boolean tables;
        boolean tableExpected;
        boolean withList;

        Level(String opener) {
            this.opener = opener;
        }
    }

    private UnqualifiedNames(SqlText text) {
        this.text = text;
        this.calls = new CallNames(text);
    }

    /** What a text depends on. */
    public static PathNeed in(SqlText text) {
        UnqualifiedNames names = new UnqualifiedNames(text);
        if (text.size() == 0) {
            return new PathNeed(false, false, false);
        }
        if (!UNDERSTOOD.contains(text.at(SqlNames.behindOpening(text, 0)))) {
            return new PathNeed(true, true, true);
        }
        for (int i = 0; i < text.size(); i++) {
            names.token(i);
        }
        return new PathNeed(names.relations || names.level.tableExpected, names.others, names.unknownCode);
    }

    private void token(int i) {
        switch (text.at(i)) {
            case "(" -> open(i);
            case ")" -> close(i);
            case "," -> level.tableExpected |= level.tables;
            case "{" -> others = true;
            case ";" -> others |= i + 1 < text.size();
            default -> {
                others |= BuiltInOperators.isForeign(text, i);
                if (text.isName(i) && !text.is(i - 1, ".")) {
                    name(i);
                } else if (level.tableExpected && !text.isName(i) && !text.is(i, ".")) {
                    relations = true; // something that is no table: not understood
                }
            }
        }
    }

    private void open(int i) {
        Level inner = new Level(text.at(i - 1));
        inner.tables = level.tableExpected;
        inner.tableExpected = level.tableExpected;
        level.tableExpected = false;
        levels.push(level);
        level = inner;
    }

    private void close(int i) {
        relations |= level.tableExpected;
        level = levels.isEmpty() ? new Level("") : levels.pop();
        if (levels.isEmpty() && tableExpression != null && !recursive && !text.is(i + 1, "AS")) {
            tableExpressions.add(tableExpression); // the next one, and the statement, may name it
            tableExpression = null;
        }
    }

    private void name(int i) {
        boolean qualified = text.is(i + 1, ".");
        if (level.tableExpected && isTable(i, qualified)) {
            table(i, qualified);
            return;
        }
        if (!keyword(i) && !qualified && calls.isDependentName(i)) {
            others = true;
        }
        int last = calls.lastOfName(i);
        if (text.is(last + 1, "(") && !calls.isNoCall(i, last, level.tables)) {
            call(i, last, qualified);
        }
    }

    private void call(int i, int last, boolean qualified) {
        others |= calls.takesSequence(last, false);
        if (!calls.isKnown(i) && !calls.takesSequence(last, true)) {
            others |= !qualified || !calls.isOfShard(i);
            unknownCode |= !calls.isOurs(i);
        }
    }

    /** Whether a name where a table is expected is one, rather than a word before it. */
    private boolean isTable(int i, boolean qualified) {
        return qualified || text.kind(i) == SqlToken.Kind.QUOTED || !BEFORE_TABLE.contains(text.at(i));
    }

    private void table(int i, boolean qualified) {
        level.tableExpected = false;
        int last = calls.lastOfName(i);
        boolean call = text.is(last + 1, "(") && !text.is(i - 1, "INTO");
        if (call) {
            call(i, last, qualified);
        } else {
            relations |= !qualified && !tableExpressions.contains(SqlNames.folded(text, i));
        }
    }

    /** Takes note of a word that begins or ends something; false if it is none of those. */
    private boolean keyword(int i) {
        String word = text.at(i);
        if (AFTER_TABLES.contains(word)) {
            level.tables = false;
        }
        switch (word) {
            case "FROM" -> {
                if (!isFromOfFunction(i)) {
                    level.tables = true;
                    level.tableExpected = true;
                }
            }
            case "JOIN", "INTO", "TABLE" -> level.tableExpected = true;
            case "UPDATE" -> level.tableExpected |= !BEFORE_NO_TABLE.contains(text.at(i - 1));
            case "USING" -> using(i);
            case "SELECT" -> query();
            case "VALUES" -> {
                if (level.tableExpected) { // else it might be an alias
                    query();
                }
            }
            case "INSERT", "DELETE", "MERGE" -> level.withList = false;
            case "WITH" -> with(i);
            case "RECURSIVE" -> recursive = true;
            default -> {
                tableExpression(i);
                return false;
            }
        }
        return true;
    }

    /** A query begins, at the begin of a text or between parentheses. */
    private void query() {
        level.tableExpected = false;
        level.tables = false;
        level.withList = false;
    }

    /** Names of columns behind a join; a table in DELETE and MERGE. */
    private void using(int i) {
        boolean columns = text.is(i + 1, "(") && !SqlNames.opensSelect(text, i + 1) && !text.is(i + 2, "VALUES");
        boolean operator = !text.is(i + 1, "(") && !text.isName(i + 1);
        if (columns || operator) {
            relations |= columns && !isJoin();
        } else {
            level.tables |= text.is(firstWord(), "DELETE");
            level.tableExpected = true;
        }
    }

    private boolean isJoin() {
        return !text.is(firstWord(), "DELETE") && !text.is(firstWord(), "MERGE");
    }

    private int firstWord() {
        return text.is(0, "WITH") ? -1 : 0;
    }

    /** Only one at the very begin is understood. */
    private void with(int i) {
        if (i == 0) {
            level.withList = true;
        } else if (!text.is(i + 1, "TIME") && !text.is(i + 1, "ORDINALITY") && !text.is(i + 1, "TIES")) {
            relations = true;
        }
    }

    private void tableExpression(int i) {
        if (levels.isEmpty() && level.withList && (text.is(i + 1, "AS") || text.is(i + 1, "("))) {
            String name = SqlNames.folded(text, i);
            if (recursive) {
                tableExpressions.add(name);
            } else if (!text.is(i, "AS") && !text.is(i, "MATERIALIZED")) {
                tableExpression = name;
            }
        }
    }

    /** {@code IS DISTINCT FROM}, and the FROM of functions such as {@code extract(year FROM at)}. */
    private boolean isFromOfFunction(int i) {
        boolean distinct = text.is(i - 1, "DISTINCT") && (text.is(i - 2, "IS") || text.is(i - 3, "IS"));
        return distinct || FUNCTIONS_WITH_FROM.contains(level.opener);
    }
}
