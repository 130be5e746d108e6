package io.github.shardedid.routing.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What rows are sorted by.
 *
 * @param expression as the select list can have it
 * @param descending whether the greatest comes first
 * @param nullsFirst whether nulls come before all values
 * @param binary whether it is text that sorts by its bytes, as it says with {@code COLLATE "C"}
 */
record SortKey(SqlSpan expression, boolean descending, boolean nullsFirst, boolean binary) {
    private static final Set<String> BINARY = Set.of("C", "POSIX", "ucs_basic");

    /** The keys of an ORDER BY, and the id to tell apart rows that are equal in them. */
    static List<SortKey> of(SqlSpan orderBy, List<SelectItem> items, @Nullable SqlSpan id) {
        List<SortKey> keys = new ArrayList<>();
        for (SqlSpan item : orderBy.splitAtCommas()) {
            keys.add(of(item, items));
        }
        if (id != null && keys.stream().noneMatch(key -> key.expression.sameAs(id))) {
            keys.add(new SortKey(id, false, false, false));
        }
        return keys;
    }

    private static SortKey of(SqlSpan item, List<SelectItem> items) {
        SqlText text = item.text();
        int end = item.to();
        Boolean nullsFirst = null;
        if (end - 2 > item.from() && text.is(end - 2, "NULLS")) {
            nullsFirst = text.is(end - 1, "FIRST");
            end -= 2;
        }
        boolean descending = text.is(end - 1, "DESC");
        if (descending || text.is(end - 1, "ASC")) {
            end--;
        }
        SqlSpan expression = resolve(item.part(item.from(), end), items);
        // PostgreSQL's default: a null is greater than any value.
        return new SortKey(expression, descending, nullsFirst == null ? descending : nullsFirst, isBinary(expression));
    }

    /** An output column's number or name stands for what it selects. */
    private static SqlSpan resolve(SqlSpan expression, List<SelectItem> items) {
        SqlText text = expression.text();
        requireNoOperator(expression);
        if (expression.size() != 1) {
            return expression;
        }
        int i = expression.from();
        if (text.kind(i) == SqlToken.Kind.LITERAL) {
            return numbered(expression, items);
        }
        String name = SqlNames.folded(text, i);
        return items.stream()
                .filter(item -> name.equals(item.name()))
                .map(SelectItem::expression)
                .findFirst()
                .orElse(expression);
    }

    private static void requireNoOperator(SqlSpan expression) {
        SqlText text = expression.text();
        for (int i = expression.from(); i < expression.to(); i++) {
            if (text.is(i, "USING")) {
                throw ScatterRefusal.of("ORDER BY … USING", text, "Write ASC or DESC.");
            }
        }
    }

    private static SqlSpan numbered(SqlSpan expression, List<SelectItem> items) {
        String number = expression.sql();
        for (int i = 0; i < items.size() && !items.get(i).isStar(); i++) {
            if (number.equals(Integer.toString(i + 1))) {
                return items.get(i).expression();
            }
        }
        throw ScatterRefusal.of("ORDER BY " + number, expression.text(), "Order by the column's name.");
    }

    private static boolean isBinary(SqlSpan expression) {
        SqlText text = expression.text();
        int last = expression.to() - 1;
        while (last > expression.from() && text.is(last, ")")) {
            last--;
        }
        boolean schema = text.is(last - 1, ".");
        return text.isName(last)
                && text.is(schema ? last - 3 : last - 1, "COLLATE")
                && BINARY.contains(SqlNames.folded(text, last));
    }

    /** As the ORDER BY of an arm and of a union has it, by the name of the column that carries it. */
    String orderBy(String column) {
        return column + (descending ? " desc" : " asc") + (nullsFirst ? " nulls first" : " nulls last");
    }
}
