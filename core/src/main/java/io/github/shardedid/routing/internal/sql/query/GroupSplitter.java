package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.internal.sql.SqlAnalysis;
import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.internal.sql.grammar.Expression;
import io.github.shardedid.routing.internal.sql.grammar.Expression.Kind;
import io.github.shardedid.routing.internal.sql.grammar.ScatterRefusal;
import io.github.shardedid.routing.internal.sql.grammar.Select;
import io.github.shardedid.routing.internal.sql.grammar.SqlSpan;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Splits a query with groups or aggregates into the columns that each shard returns, and what a database makes of these:
 *
 * <ol>
 *   <li>Each shard returns what is grouped by, and then its aggregates. Of an average it returns the sum and the count; of an aggregate of different
 *       values, each value, by which it groups, too, as two shards may have the same one.
 *   <li>The database groups the shards' rows, {@code t}, by the same columns. Each expression is written again over {@code t}: what is grouped by
 *       becomes its column, a count becomes the sum of the counts, a minimum the minimum of the minima.
 *   <li>A column or subselect that is neither has no value for a group of several shards, and is refused, as is whatever differs
 *       between two statements: the time, and columns of the system.
 * </ol>
 *
 * <p>Parameters are numbered by themselves on both sides, in the order in which they appear there.
 */
final class GroupSplitter {
    private final Select select;
    private final SqlText text;
    private final Predicate<Expression> isAggregate;
    private final Predicate<Expression> isOwnId;
    private final List<Expression> keys = new ArrayList<>();
    /** The columns of which a shard returns each value, for aggregates of different values. */
    private final List<Integer> distinct = new ArrayList<>();

    private final List<String> columns = new ArrayList<>();
    private final List<Integer> armParameters = new ArrayList<>();
    private final List<Integer> mergeParameters = new ArrayList<>();

    /** With whether an expression is one of ids, of which no two shards have the same. */
    GroupSplitter(Select select, SqlText text, Predicate<Expression> isAggregate, Predicate<Expression> isOwnId) {
        this.isOwnId = isOwnId;
        this.select = select;
        this.text = text;
        this.isAggregate = isAggregate;
    }

    /** Returns whether a query has aggregates by which its rows become one, if it has no groups. */
    static boolean hasAggregate(Select select, Predicate<Expression> isAggregate) {
        return select.items.stream().anyMatch(item -> item.expression().has(isAggregate))
                || select.order.stream().anyMatch(key -> key.expression().has(isAggregate));
    }

    /** Returns what a database does; sets what the shards do. */
    GroupMerge split() {
        select.selects()
                .forEach(each -> each.items.forEach(item -> ColumnRules.refuseOfSystem(
                        "A group or an aggregate", item.expression().span(), text)));
        boolean plain = select.groups.isEmpty() && select.having == null && !hasAggregate(select, isAggregate);
        setKeys(plain);
        StringBuilder sql = new StringBuilder(select.clauses.contains("DISTINCT") ? "select distinct " : "select ");
        for (int i = 0; i < select.items.size(); i++) {
            Select.Item item = select.items.get(i);
            sql.append(i == 0 ? "" : ", ")
                    .append(merged(item.expression()))
                    .append(" as ")
                    .append(item.name() == null ? GroupMerge.label(i + 1) : TableName.quoted(item.name()));
        }
        sql.append(" from t");
        for (int i = 0; i < keys.size() && !plain; i++) {
            sql.append(i == 0 ? " group by t.c" : ", t.c").append(i + 1);
        }
        if (select.having != null) {
            sql.append(" having ").append(merged(select.having));
        }
        for (int i = 0; i < select.order.size(); i++) {
            sql.append(i == 0 ? " order by " : ", ").append(order(select.order.get(i)));
        }
        if (columns.isEmpty()) {
            throw ScatterRefusal.of("HAVING without a group or an aggregate", text, "Leave it out.");
        }
        SqlSpan whole = select.unordered();
        boolean ordered = keys.isEmpty() || !select.order.isEmpty();
        GroupMerge.Labels labels = new GroupMerge.Labels(SqlAnalysis.of(whole.sql()), whole.parameters());
        return new GroupMerge(sql.toString(), List.copyOf(mergeParameters), ordered, labels);
    }

    private void setKeys(boolean plain) {
        if (select.items.isEmpty() || select.items.stream().anyMatch(Select.Item::star)) {
            throw ScatterRefusal.of(
                    "GROUP BY or DISTINCT with " + (select.items.isEmpty() ? "no column" : "a *"),
                    text,
                    "Name the columns, and group by them.");
        } else if (plain) {
            select.items.forEach(item -> key(item.expression()));
        } else {
            select.groups.forEach(group -> key(resolved(group)));
        }
    }

    /** Returns what each shard is asked. */
    String arm() {
        StringBuilder sql = new StringBuilder("select ")
                .append(String.join(", ", columns))
                .append(' ')
                .append(select.rows.sql());
        String groups = IntStream.concat(
                        IntStream.rangeClosed(1, keys.size()), distinct.stream().mapToInt(Integer::intValue))
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(", "));
        return sql.append(groups.isEmpty() ? "" : " group by " + groups).toString();
    }

    List<Integer> armParameters() {
        List<Integer> all = new ArrayList<>(armParameters);
        all.addAll(select.rows.parameters());
        return List.copyOf(all);
    }

    private void key(Expression expression) {
        new StatementTimes(text).refuse("GROUP BY or DISTINCT", expression, select);
        keys.add(expression);
        column(expression.span().sql(), expression.span());
    }

    private int column(String sql, SqlSpan span) {
        ColumnRules.refuseOfSystem("A group or an aggregate", span, text);
        columns.add(sql);
        armParameters.addAll(span.parameters());
        return columns.size();
    }

    /** Returns what is grouped by: an output column's number stands for what it selects, and its name means a column of a table first. */
    private Expression resolved(Expression group) {
        if (group.is(Kind.LITERAL)) {
            return SortKey.numbered("GROUP BY", group, select.items, text);
        }
        boolean doubtful = group.is(Kind.COLUMN)
                && group.names().size() == 1
                && select.items.stream()
                        .anyMatch(item -> group.name().equals(item.name())
                                && !item.expression().span().sameAs(group.span()));
        if (doubtful) {
            throw ScatterRefusal.of(
                    "GROUP BY " + group.name() + ", which may be a column of the result or of a table,",
                    text,
                    "Write the expression that is grouped by, or the number of the column.");
        }
        return group;
    }

    /** Returns an expression over the shards' columns. */
    private String merged(Expression expression) {
        for (int i = 0; i < keys.size(); i++) {
            if (isSame(expression, keys.get(i))) {
                return "t.c" + (i + 1);
            }
        }
        if (isAggregate.test(expression)) {
            return aggregate(expression);
        } else if (expression.is(Kind.COLUMN) || expression.select() != null) {
            throw ScatterRefusal.of(
                    (expression.select() == null ? "The column " : "The subselect ")
                            + expression.span().sql() + " beside groups or aggregates, which is not grouped by,",
                    text,
                    "Repeat what is grouped by in the same words, in parentheses within a larger expression.");
        }
        StringBuilder sql = new StringBuilder();
        int position = expression.span().from();
        for (Expression part : expression.parts()) {
            append(sql, position, part.span().from());
            sql.append(merged(part)).append(' ');
            position = part.span().to();
        }
        append(sql, position, expression.span().to());
        return sql.toString().strip();
    }

    private static boolean isSame(Expression a, Expression b) {
        return a.span().equals(b.span())
                || (a.span().parameters().isEmpty() && a.span().sameAs(b.span()));
    }

    private void append(StringBuilder sql, int from, int to) {
        SqlSpan between = new SqlSpan(text, from, to);
        sql.append(between.sql()).append(' ');
        mergeParameters.addAll(between.parameters());
    }

    private String aggregate(Expression call) {
        if (call.is(Kind.EXISTS)) {
            columns.add(call.span().sql());
            armParameters.addAll(call.span().parameters());
            return "coalesce(pg_catalog.bool_or(t.c" + columns.size() + "), false)";
        }
        String name = Aggregate.own(call);
        boolean different = Aggregate.isDistinct(call, text, isOwnId);
        if (name == null || (different && !Aggregate.isOfOneValue(call, text))) {
            throw ScatterRefusal.of(
                    "The aggregate " + call.span().sql(),
                    text,
                    "What can be merged is count, sum, avg, min, max, bool_and and bool_or; of DISTINCT values, without"
                            + " FILTER.");
        } else if (different) {
            return "pg_catalog." + name + "(distinct t.c"
                    + distinct(call.parts().get(0)) + ")";
        } else if (name.equals("avg")) {
            int sum = renamed(call, "sum");
            return GroupMerge.average(sum, renamed(call, "count"));
        }
        int column = column(call.span().sql(), call.span());
        return switch (name) {
            // Shards that return different values return no row if they have none.
            case "count" -> keys.isEmpty() ? "coalesce(" + GroupMerge.sum(column) + ", 0)" : GroupMerge.sum(column);
            case "sum" -> GroupMerge.sum(column);
            default -> "pg_catalog." + name + "(t.c" + column + ")";
        };
    }

    private int distinct(Expression value) {
        new StatementTimes(text).refuse("DISTINCT", value, select);
        int column = column(value.span().sql(), value.span());
        distinct.add(column);
        return column;
    }

    /** Adds the same call of another aggregate; returns its column. */
    private int renamed(Expression call, String aggregate) {
        SqlSpan rest =
                new SqlSpan(text, Aggregate.arguments(call, text), call.span().to());
        return column("pg_catalog." + aggregate + rest.sql(), rest);
    }

    private String order(Select.SortItem key) {
        String end = (key.descending() ? " desc" : " asc")
                + (key.nullsFirst() == null ? "" : key.nullsFirst() ? " nulls first" : " nulls last");
        Expression meant = SortKey.resolve(key.expression(), select.items, text);
        for (int i = 0; i < select.items.size(); i++) {
            if (isSame(select.items.get(i).expression(), meant)) {
                return (i + 1) + end;
            }
        }
        return merged(meant) + end;
    }
}
