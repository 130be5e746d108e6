package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.internal.sql.CurrentTimes;
import io.github.shardedid.routing.internal.sql.SqlKeywords;
import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.internal.sql.grammar.Expression;
import io.github.shardedid.routing.internal.sql.grammar.Expression.Kind;
import io.github.shardedid.routing.internal.sql.grammar.FromItem;
import io.github.shardedid.routing.internal.sql.grammar.ScatterRefusal;
import io.github.shardedid.routing.internal.sql.grammar.Select;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The time at which a statement has begun. Each of the statements of a query over several shards has another one, so equal rows of
 * two statements would be two groups, and those of one come out of order beside those of another. A row that is only compared with it is in one group, as it is read at one time.
 */
record StatementTimes(SqlText text) {
    private static final Set<String> COMPARISONS = SqlKeywords.words("= < > <= >= <> != IS BETWEEN");

    /** Refuses what rows are grouped or sorted by, over all statements, if its value depends on the time. */
    void refuse(String clause, Expression key, Select query) {
        boolean selected = key.has(part -> part.is(Kind.COLUMN) && !isOfTable(part, query))
                && query.from.stream().anyMatch(this::isIn);
        if (selected || isIn(key)) {
            throw ScatterRefusal.of(
                    clause + " with the current time, or of what selects it, as it is another one in each statement,",
                    text,
                    "Pass the time as a parameter.");
        }
    }

    private static boolean isOfTable(Expression column, Select query) {
        int names = column.names().size();
        return names > 1
                && query.singles()
                        .anyMatch(single -> single instanceof FromItem.Table
                                && single.alias().equals(column.names().get(names - 2)));
    }

    private boolean isIn(FromItem item) {
        return item.singles()
                .anyMatch(single -> (single instanceof FromItem.Function function && isIn(function.call()))
                        || (single instanceof FromItem.Derived derived
                                && derived.select().selects().anyMatch(this::isSelected)));
    }

    private boolean isSelected(Select select) {
        return select.items.stream().anyMatch(item -> isIn(item.expression()))
                || select.from.stream().anyMatch(this::isIn)
                || select.further.stream().anyMatch(this::isSelected);
    }

    private boolean isIn(Expression expression) {
        if (expression.is(Kind.EXISTS) || isRowCompared(expression)) {
            return false;
        }
        Select select = expression.select();
        return isTime(expression)
                || (select != null && isSelected(select))
                || expression.parts().stream().anyMatch(this::isIn);
    }

    /** Returns whether the time is in an expression itself. A literal alone is a text; as an argument, it may be read as a time. */
    private boolean isTime(Expression expression) {
        if (expression.is(Kind.LITERAL) || expression.is(Kind.COLUMN) || expression.select() != null) {
            return false;
        }
        boolean texts = expression.parts().stream().allMatch(part -> !isResult(part) || part.is(Kind.LITERAL));
        int position = expression.span().from();
        boolean found = expression.is(Kind.CALL)
                && CurrentTimes.isFunction(expression.name(), expression.parts().size());
        for (Expression part : expression.parts()) {
            boolean read = part.is(Kind.LITERAL) && !(texts && isResult(part));
            found |= isAny(position, part.span().from())
                    || (read && isAny(part.span().from(), part.span().to()));
            position = part.span().to();
        }
        return found || isAny(position, expression.span().to());
    }

    /** Returns whether it is what a CASE returns, which is a text if each of them is a literal. */
    private boolean isResult(Expression part) {
        int before = part.span().from() - 1;
        return text.is(before, "THEN") || text.is(before, "ELSE");
    }

    private boolean isAny(int from, int to) {
        return IntStream.range(from, to).anyMatch(i -> CurrentTimes.isAt(text, i));
    }

    /** Returns whether it is a condition on a column. */
    private boolean isRowCompared(Expression expression) {
        return expression.has(part -> part.is(Kind.COLUMN))
                && switch (expression.kind()) {
                    case EQUALS, IN_LIST, IN_NONE, IN_SELECT, EQUALS_ANY -> true;
                    case OTHER -> hasComparison(expression);
                    default -> false;
                };
    }

    /** Returns whether it has a comparison outside of its parts; no operator binds less than that. */
    private boolean hasComparison(Expression expression) {
        int position = expression.span().from();
        boolean found = false;
        for (Expression part : expression.parts()) {
            found |= hasComparison(position, part.span().from());
            position = part.span().to();
        }
        return found || hasComparison(position, expression.span().to());
    }

    private boolean hasComparison(int from, int to) {
        for (int i = from; i < to; i++) {
            if (COMPARISONS.contains(text.at(i))) {
                return true;
            }
        }
        return false;
    }
}
