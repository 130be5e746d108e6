package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.internal.sql.grammar.Expression;
import io.github.shardedid.routing.internal.sql.grammar.Expression.Kind;
import io.github.shardedid.routing.internal.sql.grammar.FromItem;
import io.github.shardedid.routing.internal.sql.grammar.ScatterRefusal;
import io.github.shardedid.routing.internal.sql.grammar.Select;
import io.github.shardedid.routing.internal.sql.grammar.SqlSpan;
import io.github.shardedid.routing.internal.sql.lexer.SqlKeywords;
import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The time at which a statement has begun. Each of the statements of a query over several shards has another one, so equal rows of
 * two statements would be two groups. A row that is only compared with it is in one group, as it is read at one time.
 */
record StatementTimes(SqlText text) {
    private static final Set<String> FUNCTIONS = Set.of("now", "transaction_timestamp", "statement_timestamp");
    private static final Set<String> WORDS =
            SqlKeywords.words("CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP LOCALTIME LOCALTIMESTAMP");
    private static final Set<String> TYPES = SqlKeywords.words("DATE TIME TIMETZ TIMESTAMP TIMESTAMPTZ");
    private static final Set<String> COMPARISONS = SqlKeywords.words("= < > <= >= <> != IS BETWEEN");
    private static final Pattern SPECIAL = Pattern.compile("(?is)[eu&]*'\\s*(now|today|tomorrow|yesterday).*");

    /** Refuses what a query is grouped by if its value depends on the time. */
    void refuse(Expression key, Select query) {
        if (isIn(key) || query.from.stream().anyMatch(this::isIn)) {
            throw ScatterRefusal.of(
                    "GROUP BY or DISTINCT with the current time, or of what selects it, as it is another one in each statement,",
                    text,
                    "Pass the time as a parameter.");
        }
    }

    private boolean isIn(FromItem item) {
        boolean[] found = {false};
        item.selects(select -> found[0] |= isSelected(select));
        item.singles(single -> found[0] |= single instanceof FromItem.Function function && isIn(function.call()));
        return found[0];
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

    private boolean isTime(Expression expression) {
        if (expression.is(Kind.CALL)) {
            boolean age = expression.name().equals("age") && expression.parts().size() == 1;
            return age || FUNCTIONS.contains(expression.name()) || isSpecial(expression);
        }
        return expression.is(Kind.OTHER)
                && (WORDS.contains(text.at(expression.span().from())) || isSpecial(expression));
    }

    /** A literal that is read as a time: {@code date 'today'}. */
    private boolean isSpecial(Expression expression) {
        SqlSpan span = expression.span();
        boolean typed = false;
        boolean special = false;
        for (int i = span.from(); i < span.to(); i++) {
            typed |= TYPES.contains(text.at(i));
            special |= SPECIAL.matcher(text.raw(i)).matches();
        }
        return typed && special && expression.parts().stream().allMatch(part -> part.is(Kind.LITERAL));
    }

    /** Whether it is a condition on a column. */
    private boolean isRowCompared(Expression expression) {
        return expression.has(part -> part.is(Kind.COLUMN))
                && switch (expression.kind()) {
                    case EQUALS, IN_LIST, IN_SELECT, EQUALS_ANY -> true;
                    case OTHER -> hasComparison(expression);
                    default -> false;
                };
    }

    /** Whether it has a comparison outside of its parts; no operator binds less than that. */
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
