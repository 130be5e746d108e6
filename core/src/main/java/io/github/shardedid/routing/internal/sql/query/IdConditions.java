package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.ComparedIds;
import io.github.shardedid.routing.UnmergeableQueryException;
import io.github.shardedid.routing.UnreadableStatementException;
import io.github.shardedid.routing.internal.sql.ColocatedColumns;
import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.internal.sql.grammar.Conditions;
import io.github.shardedid.routing.internal.sql.grammar.Expression.Kind;
import io.github.shardedid.routing.internal.sql.grammar.NamedRelations;
import io.github.shardedid.routing.internal.sql.grammar.Select;
import io.github.shardedid.routing.internal.sql.grammar.SelectReader;
import io.github.shardedid.routing.internal.sql.grammar.SqlSpan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds {@link ComparedIds}. A SELECT, UPDATE or DELETE of a form that is known is read as a SELECT: if its
 * rows are tied to each other by ids ({@link Locality}), a condition on one of them holds for all, and decides
 * the shard. Any other statement is executed in the open scope, and conditions on some of its rows can only say
 * that this scope is wrong.
 */
public final class IdConditions {
    private static final Set<String> OTHER_TABLES = Set.of("FROM", "USING", "RETURNING");

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
        try {
            SqlText text = new SqlText(sql);
            Optional<ComparedIds.Ids> required = required(text, columns);
            return new ComparedIds(
                    text.parameters(), required, required.isPresent() ? List.of() : ofSome(text, columns));
        } catch (UnreadableStatementException unknown) {
            return ComparedIds.NONE;
        }
    }

    /** Returns the ids of which each row of a statement has one; empty if its form is not known. */
    private static Optional<ComparedIds.Ids> required(SqlText text, ColocatedColumns columns) {
        try {
            String query = asSelect(text);
            return query == null ? Optional.empty() : of(new SqlText(query), columns);
        } catch (UnmergeableQueryException unknown) {
            return Optional.empty();
        }
    }

    /** Returns the ids that conditions require of some rows. */
    private static List<ComparedIds.Ids> ofSome(SqlText text, ColocatedColumns columns) {
        NamedRelations relations = new NamedRelations(text, columns);
        KeyValues values = new KeyValues(relations::isKey, relations::given);
        List<ComparedIds.Ids> found = new ArrayList<>();
        new Conditions(text).forEach(condition -> {
            ComparedIds.Ids ids = values.of(condition);
            if (ids != null) {
                found.add(ids);
            }
        });
        return found;
    }

    private static Optional<ComparedIds.Ids> of(SqlText text, ColocatedColumns columns) {
        Select select = SelectReader.whole(text);
        // Of two selects, only one need have the condition.
        return select.further.isEmpty()
                // Any call may be one of an aggregate.
                ? new Locality(text, columns, expression -> expression.is(Kind.CALL)).requiredIds(select)
                : Optional.empty();
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
