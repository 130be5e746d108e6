package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.internal.sql.grammar.Expression;
import io.github.shardedid.routing.internal.sql.grammar.Expression.Kind;
import io.github.shardedid.routing.internal.sql.grammar.FromItem;
import io.github.shardedid.routing.internal.sql.grammar.ScatterRefusal;
import io.github.shardedid.routing.internal.sql.grammar.Select;
import io.github.shardedid.routing.internal.sql.grammar.SqlSpan;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A key by which rows are sorted.
 *
 * @param expression as the select list can have it
 * @param descending whether the greatest comes first
 * @param nullsFirst whether nulls come before all values
 * @param binary whether it is text that sorts by its bytes, as it says with {@code COLLATE "C"}
 */
public record SortKey(SqlSpan expression, boolean descending, boolean nullsFirst, boolean binary) {
    /** The collations that compare texts by their bytes. */
    private static final Set<String> BINARY = Set.of("C", "POSIX", "ucs_basic");

    /**
     * Returns the keys of a query, and the id to tell apart rows that are equal in them.
     *
     * @param steady of an expression by itself, whether it has the same value when it is computed again
     */
    static List<SortKey> of(Select select, SqlText text, Predicate<Expression> steady) {
        List<SortKey> keys = new ArrayList<>();
        for (Select.SortItem item : select.order) {
            Expression expression = resolve(item.expression(), select.items, text);
            if (!expression.equals(item.expression())) {
                requireSteady(expression, text, steady);
            }
            if (select.clauses.contains("DISTINCT") && !isShown(expression, select.items)) {
                throw ScatterRefusal.of(
                        "SELECT DISTINCT … ORDER BY " + expression.span().sql() + ", which PostgreSQL refuses, too,",
                        text,
                        "Select what it is ordered by.");
            }
            // PostgreSQL's default: a null is greater than any value.
            boolean nullsFirst = item.nullsFirst() == null ? item.descending() : item.nullsFirst();
            keys.add(new SortKey(expression.span(), item.descending(), nullsFirst, isBinary(expression)));
        }
        SqlSpan id = id(select);
        if (!keys.isEmpty() && id != null && keys.stream().noneMatch(key -> key.expression.sameAs(id))) {
            keys.add(new SortKey(id, false, false, false));
        }
        return keys;
    }

    /** Returns whether a key is a column of the result, in the same words. A star is left only where its table is not known. */
    private static boolean isShown(Expression key, List<Select.Item> items) {
        return items.stream()
                .anyMatch(item -> item.star() || item.expression().span().sameAs(key.span()));
    }

    /**
     * Returns the id of the first table, if it is selected by that name: it makes the order of equal rows the
     * same each time.
     */
    private static @Nullable SqlSpan id(Select select) {
        FromItem first = select.singles().findFirst().orElse(null);
        return !(first instanceof FromItem.Table)
                ? null
                : select.items.stream()
                        .map(Select.Item::expression)
                        .filter(item -> item.is(Kind.COLUMN) && item.names().equals(List.of(first.alias(), "id")))
                        .map(Expression::span)
                        .findFirst()
                        .orElse(null);
    }

    /**
     * Returns what is sorted by: an output column's number or name stands for what it selects, even in
     * parentheses.
     */
    static Expression resolve(Expression key, List<Select.Item> items, SqlText text) {
        if (key.is(Kind.LITERAL)) {
            return numbered("ORDER BY", key, items, text);
        } else if (!key.is(Kind.COLUMN) || key.names().size() > 1) {
            return key;
        }
        boolean unnamed = items.stream().anyMatch(item -> item.name() == null && !item.star());
        List<Expression> named = items.stream()
                .filter(item -> key.name().equals(item.name()))
                .map(Select.Item::expression)
                .toList();
        boolean doubtful = named.stream()
                .anyMatch(expression -> !expression.span().sameAs(named.get(0).span()));
        // A star may have a column of that name, too.
        boolean starred = items.stream().anyMatch(Select.Item::star)
                && named.stream().anyMatch(expression -> !isColumn(expression, key.name()));
        if (unnamed || doubtful || starred) {
            throw ScatterRefusal.of(
                    "ORDER BY " + key.name() + ", which may be a column of the result or of a table,",
                    text,
                    "Give each column of the result an alias of its own, or write the table's alias before the name.");
        }
        return named.isEmpty() ? key : named.get(0);
    }

    private static boolean isColumn(Expression expression, String name) {
        return expression.is(Kind.COLUMN) && expression.name().equals(name);
    }

    /** Returns what a column's number stands for. */
    static Expression numbered(String clause, Expression key, List<Select.Item> items, SqlText text) {
        String number = key.span().sql();
        for (int i = 0; i < items.size() && !items.get(i).star(); i++) {
            if (number.equals(Integer.toString(i + 1))) {
                return items.get(i).expression();
            }
        }
        throw ScatterRefusal.of(clause + " " + number, text, "Write the name of the column.");
    }

    /** Refuses a column that is selected and sorted by, and whose value may change when it is computed for both. */
    private static void requireSteady(Expression expression, SqlText text, Predicate<Expression> steady) {
        expression.walk().forEach(part -> {
            if (part.select() != null || !steady.test(part)) {
                throw ScatterRefusal.of(
                        "ORDER BY a column whose value may change when it is computed again",
                        text,
                        "Order by a column of a table.");
            }
        });
    }

    /** Returns whether an expression sorts by its bytes. */
    private static boolean isBinary(Expression expression) {
        List<String> names = expression.names();
        return expression.is(Kind.COLLATED)
                && (names.size() == 1 || (names.size() == 2 && names.get(0).equals("pg_catalog")))
                && BINARY.contains(expression.name());
    }

    /** Returns keys as further columns of a select list. */
    static String columns(List<SortKey> keys) {
        return IntStream.range(0, keys.size())
                .mapToObj(i -> ", " + keys.get(i).expression.sql() + " as " + ScatterQuery.key(i))
                .collect(Collectors.joining());
    }

    /**
     * Returns the key as the ORDER BY of an arm and of a union has it, by the name of the column that carries
     * it.
     */
    public String orderBy(String column) {
        return column + (descending ? " desc" : " asc") + (nullsFirst ? " nulls first" : " nulls last");
    }
}
