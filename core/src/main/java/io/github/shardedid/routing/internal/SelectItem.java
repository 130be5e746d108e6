package io.github.shardedid.routing.internal;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A column of a select list.
 *
 * @param expression what is selected, without its alias
 * @param name the name that ORDER BY may use for it; null if it has none, or is all columns of a table
 */
record SelectItem(SqlSpan expression, @Nullable String name) {
    private static final Set<String> NO_ALIASES =
            Set.of("END", "NULL", "TRUE", "FALSE", "UNKNOWN", "PRECISION", "ZONE");

    static SelectItem of(SqlSpan item) {
        SqlText text = item.text();
        int last = item.to() - 1;
        if (item.size() > 2 && text.is(last - 1, "AS") && text.isName(last)) {
            return new SelectItem(item.part(item.from(), last - 1), SqlNames.folded(text, last));
        }
        if (hasBareAlias(item)) {
            return new SelectItem(item.part(item.from(), last), SqlNames.folded(text, last));
        }
        return new SelectItem(item, isColumn(item) ? SqlNames.folded(text, last) : null);
    }

    /** {@code count(*) c}, {@code p.id c}, {@code id c}. */
    private static boolean hasBareAlias(SqlSpan item) {
        SqlText text = item.text();
        int last = item.to() - 1;
        if (item.size() < 2 || !text.isName(last) || NO_ALIASES.contains(text.at(last))) {
            return false;
        }
        return text.is(last - 1, ")") || isColumn(item.part(item.from(), last));
    }

    private static boolean isColumn(SqlSpan item) {
        SqlText text = item.text();
        for (int i = item.from(); i < item.to(); i++) {
            boolean fits = (i - item.from()) % 2 == 0 ? text.isName(i) : text.is(i, ".");
            if (!fits) {
                return false;
            }
        }
        return item.size() % 2 == 1;
    }

    boolean isStar() {
        return expression.size() > 0
                && expression.text().is(expression.to() - 1, "*")
                && expression.size() % 2 == 1
                && (expression.size() == 1 || expression.text().is(expression.to() - 2, "."));
    }
}
