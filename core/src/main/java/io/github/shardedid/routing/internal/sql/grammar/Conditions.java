package io.github.shardedid.routing.internal.sql.grammar;

import io.github.shardedid.routing.UnmergeableQueryException;
import io.github.shardedid.routing.internal.sql.SqlText;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The conditions that rows must fulfil in a statement of any form: behind WHERE, HAVING, and the ON of an inner
 * join or a MERGE. A subselect within a condition is not read as a part of it; its own conditions are.
 *
 * <p>It finds conditions by their key words instead of by a grammar of all statements, as it serves statements
 * of forms that are not read otherwise. A condition that is not found is a route that is not taken; one that is
 * found must be true of all rows of its clause.
 */
public final class Conditions {
    /** The words before the JOIN of an outer join, whose condition rows need not fulfil. */
    private static final Set<String> OUTER = Set.of("LEFT", "RIGHT", "FULL", "OUTER");

    private final SqlText text;

    public Conditions(SqlText text) {
        this.text = text;
    }

    /**
     * Passes on each condition that can be read. Others are of a form that compares no columns, or one that is
     * not known.
     */
    public void forEach(Consumer<Expression> consumer) {
        for (int i = 0; i < text.size(); i++) {
            boolean begins = text.is(i, "HAVING")
                    || (text.is(i, "WHERE") && !(text.is(i - 1, "(") && text.is(i - 2, "FILTER")))
                    || (text.is(i, "ON") && isRequired(i));
            if (begins) {
                SqlCursor cursor = new SqlCursor(text);
                cursor.position = i + 1;
                try {
                    consumer.accept(new ExpressionReader(cursor, new Skipped(cursor)).read());
                } catch (UnmergeableQueryException unknown) {
                    // passed over
                }
            }
        }
    }

    /** Returns whether an ON is of an inner join or a MERGE, not that of {@code ON CONFLICT} or of another clause. */
    private boolean isRequired(int on) {
        int depth = 0;
        for (int i = on - 1; i > 0; i--) {
            depth -= text.depthChange(i);
            if (depth < 0) {
                return false;
            } else if (depth == 0 && text.is(i, "JOIN")) {
                return !OUTER.contains(text.at(i - 1));
            } else if (depth == 0 && text.is(i, "USING")) {
                return text.is(0, "MERGE") || text.is(0, "WITH");
            }
        }
        return false;
    }

    /** Reads subselects as nothing but tokens, up to where their parentheses close. */
    private record Skipped(SqlCursor cursor) implements ExpressionReader.Subselects {
        @Override
        public boolean begins() {
            return cursor.isAny("SELECT", "WITH", "VALUES", "TABLE");
        }

        @Override
        public Select read() {
            Select select = new Select(cursor.since(cursor.position));
            int depth = 0;
            while (cursor.position < cursor.text.size() && (depth > 0 || !cursor.is(")"))) {
                depth += cursor.text.depthChange(cursor.position++);
            }
            return select;
        }

        @Override
        public List<Select.SortItem> sortItems() {
            cursor.require(false);
            return List.of();
        }
    }
}
