package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.internal.sql.grammar.Expression;
import io.github.shardedid.routing.internal.sql.grammar.Expression.Kind;
import io.github.shardedid.routing.internal.sql.grammar.FromItem;
import io.github.shardedid.routing.internal.sql.grammar.ScatterRefusal;
import io.github.shardedid.routing.internal.sql.grammar.Select;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The aggregates of a query: which of them merge, and which may be others than they seem to be. */
final class Aggregate {
    /** Aggregates of PostgreSQL's grammar, which its catalogue does not have. */
    static final Set<String> SYNTAX = Set.of("json_arrayagg", "json_objectagg");

    private Aggregate() {}

    /** Returns whether a query selects nothing but counts: those of the shards are added. */
    static boolean areCounts(Select select, SqlText text, Predicate<Expression> isOwnId) {
        return !select.isGrouped()
                && select.order.isEmpty()
                && select.items.stream()
                        .map(Select.Item::expression)
                        .allMatch(item -> "count".equals(own(item)) && !isDistinct(item, text, isOwnId));
    }

    /** Returns the name of a call of one of PostgreSQL's own aggregates that are merged; null for anything else. */
    static @Nullable String own(Expression call) {
        List<String> names = call.names();
        boolean own = call.is(Kind.CALL)
                && (names.size() == 1 || (names.size() == 2 && names.get(0).equals("pg_catalog")));
        return own && Catalogue.AGGREGATES.contains(call.name()) ? call.name() : null;
    }

    /** Returns whether an aggregate or a window function has a name. */
    static boolean isAny(Catalogue catalogue, String name) {
        FunctionKind kind = catalogue.of(name);
        return Catalogue.AGGREGATES.contains(name)
                || SYNTAX.contains(name)
                || kind == FunctionKind.AGGREGATE
                || kind == FunctionKind.UNKNOWN_AGGREGATE;
    }

    /**
     * Returns whether a call of an aggregate merges different values only. It changes nothing of the greatest and the least, and shards have
     * different ids anyway.
     */
    static boolean isDistinct(Expression call, SqlText text, Predicate<Expression> isOwnId) {
        boolean extreme = call.name().equals("min") || call.name().equals("max");
        boolean ids = call.name().equals("count")
                && call.parts().stream().findFirst().filter(isOwnId).isPresent();
        return !extreme && !ids && text.is(arguments(call, text) + 1, "DISTINCT");
    }

    /** Returns whether a call has one argument, and nothing behind it. */
    static boolean isOfOneValue(Expression call, SqlText text) {
        int close = text.closing(arguments(call, text));
        return call.parts().size() == 1 && close == call.span().to() - 1;
    }

    /** Returns where the parenthesis behind the name is. */
    static int arguments(Expression call, SqlText text) {
        int position = call.span().from();
        while (!text.is(position, "(")) {
            position++;
        }
        return position;
    }

    /** Returns whether an expression is a call that PostgreSQL may take for one of another aggregate than its own of that name. */
    static boolean mayBeAnother(Expression expression) {
        return expression.is(Kind.CALL)
                && Catalogue.AGGREGATES.contains(expression.name())
                && !expression.names().get(0).equals("pg_catalog");
    }

    /** Refuses those that may be another; in shards by themselves, aggregates of subselects are not merged. */
    static void check(Select whole, boolean perShard, SqlText text, Catalogue catalogue) {
        (perShard ? Stream.of(whole) : whole.selects())
                .flatMap(Select::expressions)
                .forEach(expression -> {
                    if (mayBeAnother(expression)
                            && catalogue.of(Catalogue.MERGED + expression.name()) != FunctionKind.PLAIN) {
                        throw ScatterRefusal.of(
                                "The aggregate " + expression.name()
                                        + ", of which the database has another one of that name,",
                                text,
                                "Write pg_catalog." + expression.name() + " for that of PostgreSQL.");
                    }
                });
    }

    /**
     * Refuses aggregates in subselects that may be those of an outer query. PostgreSQL takes one whose arguments have columns of an outer query only for an
     * aggregate of that query: in {@code select (select count(p.id)) from photo p} it counts the photos. So each must have a column of its
     * own subselect, or none.
     */
    static void refuseOuter(Select whole, Predicate<Expression> aggregate, SqlText text) {
        whole.selects().skip(1).forEach(select -> {
            Set<String> own = select.singles().map(FromItem::alias).collect(Collectors.toSet());
            select.expressions().filter(aggregate).forEach(call -> {
                boolean nested = call.has(part -> part.select() != null);
                boolean columns = call.has(part -> part.is(Kind.COLUMN));
                if (nested || (columns && !call.has(part -> isColumnOf(own, part)))) {
                    throw ScatterRefusal.of(
                            "The aggregate " + call.name() + " in a subselect, which may be one of the outer query,",
                            text,
                            "Write the columns of the subselect's own tables with their table or alias before them.");
                }
            });
        });
    }

    private static boolean isColumnOf(Set<String> aliases, Expression part) {
        List<String> names = part.names();
        return part.is(Kind.COLUMN) && names.size() > 1 && aliases.contains(names.get(names.size() - 2));
    }
}
