package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.internal.sql.grammar.Expression;
import io.github.shardedid.routing.internal.sql.grammar.Expression.Kind;
import io.github.shardedid.routing.internal.sql.grammar.ScatterRefusal;
import io.github.shardedid.routing.internal.sql.grammar.Select;
import io.github.shardedid.routing.internal.sql.grammar.SqlSpan;
import io.github.shardedid.routing.internal.sql.grammar.TableName;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Splits a query with groups or aggregates into the columns that each shard returns, and what a database makes
 * of these:
 *
 * <ol>
 *   <li>Each shard returns what is grouped by, and then its aggregates; of an average, the sum and the count.
 *   <li>The database groups the shards' rows, {@code t}, by the same columns. Each expression is written again
 *       over {@code t}: what is grouped by becomes its column, a count becomes the sum of the counts, a minimum
 *       the minimum of the minima.
 *   <li>A column or subselect that is neither has no value for a group of several shards, and is refused.
 * </ol>
 *
 * <p>Parameters are numbered by themselves on both sides, in the order in which they appear there.
 */
final class GroupSplitter {
    private final Select select;
    private final SqlText text;
    private final Predicate<Expression> isAggregate;
    /** Accepts columns with ids, of which no two shards have the same. */
    private final Predicate<Expression> isOwnId;
    /** The expressions that are grouped by, whose columns come first. */
    private final List<Expression> keys = new ArrayList<>();
    /** The columns that each shard returns. */
    private final List<ArmParameter.Part> columns = new ArrayList<>();
    /** The query's parameters in the merging query, in its order. */
    private final List<Integer> mergeParameters = new ArrayList<>();

    /**
     * Creates a splitter, for one query.
     *
     * @param isAggregate whether an expression is a call of an aggregate
     * @param isOwnId whether an expression is one of ids, of which no two shards have the same
     */
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
        boolean plain = select.groups.isEmpty() && select.having == null && !hasAggregate(select, isAggregate);
        setKeys(plain);
        StringBuilder sql = new StringBuilder(select.clauses.contains("DISTINCT") ? "select distinct " : "select ");
        sql.append(select.items.stream()
                        .map(item -> merged(item.expression()) + " as "
                                + TableName.quoted(item.name() == null ? "?column?" : item.name()))
                        .collect(Collectors.joining(", ")))
                .append(" from t");
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
        boolean ordered = keys.isEmpty() || !select.order.isEmpty();
        return new GroupMerge(sql.toString(), List.copyOf(mergeParameters), ordered);
    }

    /**
     * Finds what is grouped by.
     *
     * @param plain whether there is neither a group nor an aggregate, but DISTINCT: then all columns are
     */
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

    /** Returns what each shard is asked of some rows. */
    ArmParameter.Part arm(ArmParameter.Part rows) {
        String groups = IntStream.rangeClosed(1, keys.size())
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(", "));
        List<ArmParameter> parameters = new ArrayList<>();
        columns.forEach(column -> parameters.addAll(column.parameters()));
        parameters.addAll(rows.parameters());
        return new ArmParameter.Part(
                "select " + columns.stream().map(ArmParameter.Part::sql).collect(Collectors.joining(", ")) + " "
                        + rows.sql() + (groups.isEmpty() ? "" : " group by " + groups),
                parameters);
    }

    /** Adds a column that is grouped by. */
    private void key(Expression expression) {
        keys.add(expression);
        columns.add(ArmParameter.Part.of(expression.span()));
    }

    /**
     * Returns what is grouped by: an output column's number stands for what it selects, and its name means a
     * column of a table first.
     */
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

    /**
     * Returns whether two expressions have the same value in a group: in the same words, and without
     * parameters, whose values may differ.
     */
    private static boolean isSame(Expression a, Expression b) {
        return a.span().equals(b.span())
                || (a.span().parameters().isEmpty() && a.span().sameAs(b.span()));
    }

    /** Appends the tokens between two expressions, with their parameters. */
    private void append(StringBuilder sql, int from, int to) {
        SqlSpan between = new SqlSpan(text, from, to);
        sql.append(between.sql()).append(' ');
        mergeParameters.addAll(between.parameters());
    }

    /** Adds an aggregate to the columns of the shards, and returns what merges them. */
    private String aggregate(Expression call) {
        String name = call.name();
        List<String> qualifiers = call.names().subList(0, call.names().size() - 1);
        boolean own = Catalogue.AGGREGATES.contains(name)
                && (qualifiers.isEmpty() || qualifiers.equals(List.of("pg_catalog")));
        // DISTINCT changes nothing of the greatest and the least, and shards have different ids.
        boolean distinct = text.is(arguments(call) + 1, "DISTINCT")
                && !name.equals("min")
                && !name.equals("max")
                && !(name.equals("count") && call.parts().stream().limit(1).anyMatch(isOwnId));
        if (!own || distinct) {
            throw ScatterRefusal.of(
                    "The aggregate " + call.span().sql(),
                    text,
                    "What can be merged is count, sum, avg, min, max, bool_and and bool_or, and count of DISTINCT ids.");
        } else if (name.equals("avg")) {
            int sum = renamed(call, "sum");
            return GroupMerge.average(sum, renamed(call, "count"));
        }
        columns.add(ArmParameter.Part.of(call.span()));
        int column = columns.size();
        return switch (name) {
            case "count", "sum" -> GroupMerge.sum(column);
            default -> "pg_catalog." + name + "(t.c" + column + ")";
        };
    }

    /** Returns where the parenthesis behind the name is. */
    private int arguments(Expression call) {
        int position = call.span().from();
        while (!text.is(position, "(")) {
            position++;
        }
        return position;
    }

    /** Adds the same call of another aggregate; returns its column. */
    private int renamed(Expression call, String aggregate) {
        ArmParameter.Part rest = ArmParameter.Part.of(
                new SqlSpan(text, arguments(call), call.span().to()));
        columns.add(new ArmParameter.Part("pg_catalog." + aggregate + rest.sql(), rest.parameters()));
        return columns.size();
    }

    /**
     * Returns a key of the ORDER BY. If it is selected, it is named by the number of its column, as DISTINCT
     * demands.
     */
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
