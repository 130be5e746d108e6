package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import io.github.shardedid.routing.internal.sql.query.Expression.Kind;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** How the values that an aggregate has in each shard become one. */
public enum Aggregate {
    /** No aggregate, but a column whose values tell the groups apart. */
    KEY,
    SUM,
    MIN,
    MAX,
    ANY;

    private static final Map<String, Aggregate> MERGED = Map.of("count", SUM, "sum", SUM, "min", MIN, "max", MAX);

    /** The names of the aggregates that are merged. */
    static final Set<String> NAMES = MERGED.keySet();

    /** The aggregates of a select list; empty if it has none. One that cannot be merged is refused. */
    static List<Aggregate> of(Select select, SqlText text, Predicate<Expression> isAggregate) {
        if (select.from.isEmpty()
                && select.items.size() == 1
                && select.items.get(0).expression().is(Kind.EXISTS)) {
            return List.of(ANY);
        }
        if (select.isGrouped()) {
            return select.items.stream()
                    .map(item -> grouped(item, select, text, isAggregate))
                    .toList();
        }
        if (select.items.stream().anyMatch(item -> item.expression().has(isAggregate))) {
            return select.items.stream()
                    .map(item -> of(item.expression(), text))
                    .toList();
        } else if (select.order.stream().anyMatch(key -> key.expression().has(isAggregate))) {
            throw ScatterRefusal.of("ORDER BY an aggregate", text, "Leave it out: there is one row.");
        }
        return List.of();
    }

    /** A column of the result of GROUP BY or DISTINCT. */
    private static Aggregate grouped(Select.Item item, Select select, SqlText text, Predicate<Expression> isAggregate) {
        boolean distinct = select.clauses.contains("DISTINCT");
        boolean aggregate = item.expression().has(isAggregate);
        if (item.star() || (distinct && aggregate)) {
            throw ScatterRefusal.of(
                    item.star() ? "GROUP BY or DISTINCT with a *" : "DISTINCT of an aggregate",
                    text,
                    "Name the columns, and group by them.");
        } else if (!aggregate
                && !distinct
                && select.groups.stream().noneMatch(group -> item.isMeantBy(group, select.items))) {
            throw ScatterRefusal.of(
                    "GROUP BY with the column " + item.expression().span().sql() + ", which is not grouped by,",
                    text,
                    "Select columns of the GROUP BY, in the same words, and aggregates.");
        }
        return aggregate ? of(item.expression(), text) : KEY;
    }

    private static Aggregate of(Expression item, SqlText text) {
        Aggregate aggregate = named(item);
        boolean distinct = aggregate == SUM
                && text.is(item.span().from() + 2 * item.names().size(), "DISTINCT");
        if (aggregate == null || distinct) {
            throw ScatterRefusal.of(
                    "The aggregate " + item.span().sql(),
                    text,
                    "What can be merged is a select list of count, sum, min and max, each by itself and without"
                            + " DISTINCT: an average is sum and count, divided by the application.");
        }
        return aggregate;
    }

    /** Whether an expression is a call that PostgreSQL may take for one of another aggregate than its own of that name. */
    static boolean mayBeAnother(Expression expression) {
        return expression.is(Kind.CALL)
                && NAMES.contains(expression.name())
                && !expression.names().get(0).equals("pg_catalog");
    }

    /** Refuses those that may be another; in shards by themselves, aggregates of subselects are not merged. */
    static void check(Select whole, boolean perShard, SqlText text, Catalogue catalogue) {
        Consumer<Expression> check = expression -> {
            if (mayBeAnother(expression) && catalogue.of(Catalogue.MERGED + expression.name()) != FunctionKind.PLAIN) {
                throw ScatterRefusal.of(
                        "The aggregate " + expression.name() + ", of which the database has another one of that name,",
                        text,
                        "Write pg_catalog." + expression.name() + " for that of PostgreSQL.");
            }
        };
        if (perShard) {
            whole.expressions(check);
        } else {
            whole.selects(each -> each.expressions(check));
        }
    }

    /** Null if it is no call of one of PostgreSQL's own. */
    private static @Nullable Aggregate named(Expression item) {
        List<String> names = item.names();
        boolean own = item.is(Kind.CALL) && (names.size() == 1 || names.get(0).equals("pg_catalog"));
        return own && names.size() <= 2 ? MERGED.get(item.name()) : null;
    }
}
