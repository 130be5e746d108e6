package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.RequiredIds;
import io.github.shardedid.routing.UnmergeableQueryException;
import io.github.shardedid.routing.UnreadableStatementException;
import io.github.shardedid.routing.internal.sql.grammar.Expression.Kind;
import io.github.shardedid.routing.internal.sql.grammar.Select;
import io.github.shardedid.routing.internal.sql.grammar.SelectReader;
import io.github.shardedid.routing.internal.sql.grammar.SqlSpan;
import io.github.shardedid.routing.internal.sql.ids.ColocatedColumns;
import io.github.shardedid.routing.internal.sql.lexer.SqlNames;
import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds {@link RequiredIds} in SELECT, UPDATE and DELETE statements of a form that is known; none in any other. */
public final class IdConditions {
    private static final Set<String> OTHER_TABLES = Set.of("FROM", "USING", "RETURNING");

    private IdConditions() {}

    public static Optional<RequiredIds> of(String sql, ColocatedColumns columns) {
        if (columns.areNone()) {
            return Optional.empty();
        }
        try {
            String query = asSelect(new SqlText(sql));
            return query == null ? Optional.empty() : of(new SqlText(query), columns);
        } catch (UnmergeableQueryException | UnreadableStatementException unknown) {
            return Optional.empty();
        }
    }

    private static Optional<RequiredIds> of(SqlText text, ColocatedColumns columns) {
        Select select = SelectReader.whole(text);
        // Of two selects, only one need have the condition.
        return select.further.isEmpty()
                // Any call may be one of an aggregate.
                ? new Locality(text, columns, expression -> expression.is(Kind.CALL)).requiredIds(select)
                : Optional.empty();
    }

    /**
     * A SELECT of the rows that a statement changes, with its parameters in their order; an assignment is an expression, too. Null for
     * other statements.
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

    /** Where one of some words is outside of parentheses; else the end. */
    private static int clause(SqlText text, int from, Set<String> words) {
        int depth = 0;
        for (int i = from; i < text.size(); i++) {
            depth += SqlNames.depthChange(text, i);
            if (depth == 0 && words.contains(text.at(i))) {
                return i;
            }
        }
        return text.size();
    }
}
