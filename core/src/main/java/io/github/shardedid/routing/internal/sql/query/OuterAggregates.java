package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.internal.sql.grammar.Expression;
import io.github.shardedid.routing.internal.sql.grammar.Expression.Kind;
import io.github.shardedid.routing.internal.sql.grammar.ScatterRefusal;
import io.github.shardedid.routing.internal.sql.grammar.Select;
import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Aggregates in subselects. PostgreSQL takes one whose arguments have columns of an outer query only for an aggregate of that query: in
 * {@code select (select count(p.id)) from photo p} it counts the photos. So each must have a column of its own subselect, or none.
 */
record OuterAggregates(SqlText text, Predicate<Expression> aggregate) {
    /** Refuses what may be an aggregate of an outer query. */
    void refuse(Select whole) {
        whole.selects(select -> {
            if (select != whole) {
                Set<String> own = new HashSet<>();
                select.from.forEach(item -> item.singles(single -> own.add(single.alias())));
                select.expressions(expression -> {
                    if (aggregate.test(expression)) {
                        requireOwn(expression, own);
                    }
                });
            }
        });
    }

    private void requireOwn(Expression call, Set<String> aliases) {
        boolean nested = call.has(part -> part.select() != null);
        boolean own = call.has(part -> isColumnOf(aliases, part));
        if (nested || (call.has(part -> part.is(Kind.COLUMN)) && !own)) {
            throw ScatterRefusal.of(
                    "The aggregate " + call.name() + " in a subselect, which may be one of the outer query,",
                    text,
                    "Write the columns of the subselect's own tables with their table or alias before them.");
        }
    }

    private static boolean isColumnOf(Set<String> aliases, Expression part) {
        List<String> names = part.names();
        return part.is(Kind.COLUMN) && names.size() > 1 && aliases.contains(names.get(names.size() - 2));
    }
}
