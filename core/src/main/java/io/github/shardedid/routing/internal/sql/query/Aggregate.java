package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.internal.sql.catalog.Catalogue;
import io.github.shardedid.routing.internal.sql.catalog.FunctionKind;
import io.github.shardedid.routing.internal.sql.grammar.Expression;
import io.github.shardedid.routing.internal.sql.grammar.Expression.Kind;
import io.github.shardedid.routing.internal.sql.grammar.ScatterRefusal;
import io.github.shardedid.routing.internal.sql.grammar.Select;
import io.github.shardedid.routing.internal.sql.lexer.SqlNames;
import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What a query has of aggregates. */
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

    /** The name of a call of one of PostgreSQL's own aggregates that are merged; null for anything else. */
    static @Nullable String own(Expression call) {
        List<String> names = call.names();
        boolean own = call.is(Kind.CALL)
                && (names.size() == 1 || (names.size() == 2 && names.get(0).equals("pg_catalog")));
        return own && Catalogue.AGGREGATES.contains(call.name()) ? call.name() : null;
    }

    /** Whether an aggregate or a window function has a name. */
    static boolean isAny(Catalogue catalogue, String name) {
        FunctionKind kind = catalogue.of(name);
        return Catalogue.AGGREGATES.contains(name)
                || SYNTAX.contains(name)
                || kind == FunctionKind.AGGREGATE
                || kind == FunctionKind.UNKNOWN_AGGREGATE;
    }

    /**
     * Whether a call of an aggregate merges different values only. It changes nothing of the greatest and the least, and shards have
     * different ids anyway.
     */
    static boolean isDistinct(Expression call, SqlText text, Predicate<Expression> isOwnId) {
        boolean extreme = call.name().equals("min") || call.name().equals("max");
        boolean ids = call.name().equals("count")
                && call.parts().stream().findFirst().filter(isOwnId).isPresent();
        return !extreme && !ids && text.is(arguments(call, text) + 1, "DISTINCT");
    }

    /** Whether a call has one argument, and nothing behind it. */
    static boolean isOfOneValue(Expression call, SqlText text) {
        int close = SqlNames.closing(text, arguments(call, text));
        return call.parts().size() == 1 && close == call.span().to() - 1;
    }

    /** Where the parenthesis behind the name is. */
    static int arguments(Expression call, SqlText text) {
        int position = call.span().from();
        while (!text.is(position, "(")) {
            position++;
        }
        return position;
    }

    /** Whether an expression is a call that PostgreSQL may take for one of another aggregate than its own of that name. */
    static boolean mayBeAnother(Expression expression) {
        return expression.is(Kind.CALL)
                && Catalogue.AGGREGATES.contains(expression.name())
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
}
