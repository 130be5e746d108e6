package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.ComparedIds;
import io.github.shardedid.routing.UnsupportedStatementException;
import io.github.shardedid.routing.internal.sql.ColocatedColumns;
import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.internal.sql.grammar.Expression.Kind;
import io.github.shardedid.routing.internal.sql.grammar.Select;
import io.github.shardedid.routing.internal.sql.grammar.SelectReader;
import io.github.shardedid.routing.internal.sql.grammar.SqlSpan;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds {@link ComparedIds}. A SELECT, UPDATE or DELETE of a form that is known is read as a SELECT: if its
 * rows are tied to each other by ids ({@link Locality}), a condition on one of them holds for all, and decides
 * the shard. Any other statement is executed in the open scope, and is doubtful if it has any condition: then no
 * number in it may be an id of another shard.
 */
public final class IdConditions {
    private static final Set<String> OTHER_TABLES = Set.of("FROM", "USING", "RETURNING");

    /** The words without one of which no row is compared with a value. */
    private static final Set<String> BEFORE_CONDITIONS =
            Set.of("WHERE", "HAVING", "ON", "USING", "NATURAL", "INTERSECT", "EXCEPT");

    private IdConditions() {}

    /**
     * Returns the ids that a statement compares. A text that cannot be read compares none, as it is refused
     * when it is prepared.
     *
     * @param columns the columns that hold ids of the row's own shard
     */
    public static ComparedIds of(String sql, ColocatedColumns columns) {
        if (columns.areNone()) {
            return ComparedIds.NONE;
        }
        SqlText text;
        try {
            text = new SqlText(sql);
        } catch (UnsupportedStatementException refused) {
            return ComparedIds.NONE;
        }
        boolean compares = IntStream.range(0, text.size())
                .anyMatch(i -> BEFORE_CONDITIONS.contains(text.at(i)) && !text.is(i + 1, "CONFLICT"));
        try {
            String query = asSelect(text);
            Select select = query == null ? null : SelectReader.whole(new SqlText(query));
            // Of two selects, only one need have the condition.
            if (select != null && select.further.isEmpty()) {
                // Any call may be one of an aggregate.
                Locality locality = new Locality(text, columns, expression -> expression.is(Kind.CALL));
                Optional<ComparedIds.Ids> required = locality.requiredIds(select);
                boolean nested = select.selects().skip(1).findAny().isPresent();
                return new ComparedIds(text.parameters(), required, required.isEmpty() && compares && nested);
            }
        } catch (UnsupportedStatementException unknown) {
            // in doubt
        }
        return new ComparedIds(text.parameters(), Optional.empty(), compares);
    }

    /**
     * Returns a SELECT of the rows that a statement changes, with its parameters in their order; an assignment
     * is an expression, too. Null for other statements.
     */
    private static @Nullable String asSelect(SqlText text) {
        if (text.is(0, "SELECT")) {
            return text.sql();
        }
        boolean delete = text.is(0, "DELETE") && text.is(1, "FROM");
        int set = text.is(0, "UPDATE") ? clause(text, 1, Set.of("SET")) : text.size();
        int from = delete ? 2 : set + 1;
        int where = clause(text, from, Set.of("WHERE"));
        boolean known =
                (delete || set < text.size()) && where < text.size() && clause(text, from, OTHER_TABLES) == text.size();
        if (!known) {
            return null;
        }
        String condition = text.sql().substring(text.start(where));
        return delete
                ? "select 1 from " + new SqlSpan(text, 2, where).sql() + " " + condition
                : "select " + new SqlSpan(text, set + 1, where).sql() + " from " + new SqlSpan(text, 1, set).sql() + " "
                        + condition;
    }

    /** Returns where one of some words is outside of parentheses; else the end. */
    private static int clause(SqlText text, int from, Set<String> words) {
        int depth = 0;
        for (int i = from; i < text.size(); i++) {
            depth += text.depthChange(i);
            if (depth == 0 && words.contains(text.at(i))) {
                return i;
            }
        }
        return text.size();
    }
}
