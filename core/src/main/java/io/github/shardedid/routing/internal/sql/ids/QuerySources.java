package io.github.shardedid.routing.internal.sql.ids;

import io.github.shardedid.routing.internal.sql.lexer.SqlKeywords;
import io.github.shardedid.routing.internal.sql.lexer.SqlNames;
import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import io.github.shardedid.routing.internal.sql.lexer.SqlToken;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds what passes on the parameters and numbers of a text: subselects, VALUES and functions in FROM, and WITH queries. */
final class QuerySources {
    private static final Set<String> AFTER_FROM = SqlKeywords.words(
            """
            WHERE GROUP HAVING WINDOW UNION INTERSECT EXCEPT ORDER LIMIT OFFSET FETCH FOR RETURNING DO WHEN
            """);
    private static final Set<String> BEFORE_ITEM = Set.of("FROM", "JOIN", "LATERAL", "USING");
    private static final Set<String> QUERIES = Set.of("INSERT", "UPDATE", "DELETE", "MERGE");

    private final SqlText text;
    private final Map<String, Source> ctes = new HashMap<>();

    QuerySources(SqlText text) {
        this.text = text;
        int known;
        do {
            known = ctes.size();
            findCtes();
        } while (ctes.size() > known);
    }

    /**
     * Something with a parameter or a number in it, whose columns may have that value.
     *
     * @param alias as it is folded; null if it is not known, or has none
     * @param columns the names that its columns are given; empty if they keep theirs
     * @param from the first token of its query, or of the arguments of its function
     * @param end the parenthesis that closes it
     */
    record Source(@Nullable String alias, List<String> columns, int from, int end) {
        boolean mayBe(String qualifier) {
            return alias == null || alias.equals(qualifier);
        }
    }

    private void findCtes() {
        for (int i = 1; i < text.size(); i++) {
            int open = text.is(i, "AS") ? bodyOfCte(i) : -1;
            if (open >= 0 && (SqlClauses.opensQuery(text, open + 1) || QUERIES.contains(text.at(open + 1)))) {
                int close = SqlNames.closing(text, open);
                int name = text.is(i - 1, ")") ? SqlNames.opening(text, i - 2) - 1 : i - 1;
                boolean marked = marksCycle(close + 1);
                if (text.isName(name) && (marked || passesOn(open, close))) {
                    String alias = SqlNames.folded(text, name);
                    Source known = ctes.get(alias);
                    boolean other = marked || (known != null && known.from != open + 1);
                    ctes.put(alias, other ? unknown(alias) : new Source(alias, columns(name + 1), open + 1, close));
                }
            }
        }
    }

    /** Whether behind a WITH query its CYCLE adds a column with constants: {@code SET c TO 1 DEFAULT 2}. */
    private boolean marksCycle(int behind) {
        int i = text.is(behind, "SEARCH") || text.is(behind, "CYCLE") ? behind : -1;
        while ((text.isName(i) || text.is(i, ",")) && !text.is(i, "TO")) {
            i++;
        }
        return text.is(i, "TO");
    }

    /** A source in which no column can be found: of several with one name, or one that reads others beside it. */
    private static Source unknown(@Nullable String alias) {
        return new Source(alias, List.of(), -1, -1);
    }

    /** The parenthesis that opens what {@code AS [[NOT] MATERIALIZED] (} introduces; -1 if that is something else. */
    int bodyOfCte(int as) {
        int i = as + 1;
        i += text.is(i, "NOT") ? 1 : 0;
        i += text.is(i, "MATERIALIZED") ? 1 : 0;
        return text.is(as, "AS") && text.is(i, "(") ? i : -1;
    }

    private List<String> columns(int open) {
        List<String> columns = new ArrayList<>();
        if (text.is(open, "(")) {
            for (int[] item : SqlClauses.items(text, open + 1, SqlNames.closing(text, open))) {
                columns.add(text.isName(item[0]) ? SqlNames.folded(text, item[0]) : "");
            }
        }
        return columns;
    }

    /** Whether tokens have a parameter, a number, or a WITH query with one in it. */
    boolean passesOn(int from, int end) {
        for (int i = from; i < end; i++) {
            if (isGiven(i) || (!ctes.isEmpty() && isCte(i))) {
                return true;
            }
        }
        return false;
    }

    /** Whether a token is a parameter, or a literal that may be a number. */
    boolean isGiven(int i) {
        boolean numbered = text.at(i).startsWith("$") && text.kind(i) == SqlToken.Kind.SYMBOL;
        return text.is(i, "?")
                || (numbered && !isWithinCreate(i))
                || (text.kind(i) == SqlToken.Kind.LITERAL && WrittenNumber.isPossibleLiteral(text.raw(i)));
    }

    /** Where a number means a parameter of the function that is created, not one of CREATE TABLE … AS. */
    private boolean isWithinCreate(int i) {
        int start = i;
        while (start > 0 && !text.is(start - 1, ";")) {
            start--;
        }
        int kind = text.is(start + 1, "OR") && text.is(start + 2, "REPLACE") ? start + 3 : start + 1;
        return text.is(start, "CREATE") && (text.is(kind, "FUNCTION") || text.is(kind, "PROCEDURE"));
    }

    boolean isCte(int i) {
        return text.isName(i) && !text.is(i - 1, ".") && ctes.containsKey(SqlNames.folded(text, i));
    }

    /** The sources in the items of a FROM or USING. Plain tables pass on nothing. */
    List<Source> of(int from, int limit) {
        List<Source> found = new ArrayList<>();
        read(found, from, limit);
        return found;
    }

    /** Adds the sources to those that stand before them, which LATERAL and functions may read. */
    private void read(List<Source> found, int from, int limit) {
        boolean condition = false;
        int cases = 0;
        int i = from;
        while (i < limit && !text.is(i, ")") && !text.is(i, ";") && !ends(i, cases)) {
            String word = SqlClauses.isLabel(text, i) ? "" : text.at(i);
            cases += word.equals("CASE") ? 1 : word.equals("END") && cases > 0 ? -1 : 0;
            condition = word.equals("ON") || (condition && !word.equals(",") && !word.equals("JOIN"));
            if (text.is(i, "(")) {
                i = condition ? SqlNames.closing(text, i) + 1 : parenthesis(found, i);
            } else if (!condition && isCte(i) && !text.is(i + 1, ".") && !text.is(i + 1, "(")) {
                i = add(found, 0, 0, text.is(i + 1, "*") ? i + 2 : i + 1, ctes.get(SqlNames.folded(text, i)));
            } else {
                i++;
            }
        }
    }

    /** Reads a subselect, joined tables or the arguments of a function, and says where the text goes on behind it. */
    private int parenthesis(List<Source> found, int open) {
        int close = SqlNames.closing(text, open);
        boolean sample =
                text.is(open - 2, "TABLESAMPLE") || (text.is(open - 1, "REPEATABLE") && text.is(open - 2, ")"));
        if (sample) {
            return close + 1;
        }
        if (text.is(open - 1, "USING") && !found.isEmpty()) {
            // The alias of a join has the columns by which it joins, and those of an outer join may come from either
            // side.
            return text.is(close + 1, "AS") ? add(found, -1, close, close + 1, null) : close + 1;
        }
        boolean given = passesOn(open, close);
        if (isJoin(open, close) && (given || !found.isEmpty())) {
            int known = found.size();
            read(found, open + 1, close);
            boolean named = text.is(close + 1, "AS") || SqlKeywords.isColumnName(text, close + 1);
            return named && (given || found.size() > known) ? add(found, -1, close, close + 1, null) : close + 1;
        }
        boolean reads = !found.isEmpty() && text.isName(open - 1) && !text.is(open - 1, "JOIN");
        return given || reads ? add(found, reads || !isItem(open) ? -1 : open + 1, close, close + 1, null) : close + 1;
    }

    /** Whether a parenthesis of a FROM stands for a table by itself, rather than behind the name of a function. */
    private boolean isItem(int open) {
        boolean word = BEFORE_ITEM.contains(text.at(open - 1)) && !SqlClauses.isLabel(text, open - 1);
        return word || !text.isName(open - 1);
    }

    /** Whether a parenthesis of a FROM is around joined tables instead of a query or the arguments of a function. */
    private boolean isJoin(int open, int close) {
        boolean item = isItem(open);
        if (!item || !SqlClauses.opensQuery(text, open + 1)) {
            return item;
        }
        int inner = text.is(open + 1, "(") ? SqlNames.closing(text, open + 1) : close;
        return inner + 1 < close
                ? !QueryRows.continuesQuery(text, inner + 1)
                : inner < close && isJoin(open + 1, inner);
    }

    private boolean ends(int i, int cases) {
        boolean word = AFTER_FROM.contains(text.at(i)) && !SqlClauses.isLabel(text, i);
        return word && (cases <= 0 || !text.is(i, "WHEN"));
    }

    /** Adds a source, and says where its alias and the names of its columns end. */
    private int add(List<Source> found, int from, int end, int behind, @Nullable Source cte) {
        int i = text.is(behind, "WITH") && text.is(behind + 1, "ORDINALITY") ? behind + 2 : behind;
        i += text.is(i, "AS") ? 1 : 0;
        boolean named = SqlKeywords.isColumnName(text, i);
        String alias = named ? SqlNames.folded(text, i) : cte == null ? null : cte.alias;
        List<String> columns = named ? columns(i + 1) : List.of();
        found.add(
                cte == null
                        ? new Source(alias, columns, from, end)
                        : new Source(alias, columns.isEmpty() ? cte.columns : columns, cte.from, cte.end));
        i += named ? 1 : 0;
        return named && !columns.isEmpty() ? SqlNames.closing(text, i) + 1 : i;
    }
}
