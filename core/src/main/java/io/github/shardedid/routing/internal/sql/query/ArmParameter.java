package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.ComparedIds.Ids;
import io.github.shardedid.routing.internal.sql.grammar.Expression;
import io.github.shardedid.routing.internal.sql.grammar.Expression.Kind;
import io.github.shardedid.routing.internal.sql.grammar.SqlSpan;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A parameter of what each shard is asked: one of the query's, or a list of ids of which each row has one, {@code
 * id in (?, 2)} or {@code id = any (?)}.
 *
 * <p>Such a list is sent as one array, in which each shard is sent its own ids only. So the text is the same
 * whatever its length is, and stays prepared; and a list may be longer than the number of parameters that a
 * statement can have.
 *
 * @param parameters the query's parameters that it consists of, numbered from 1
 * @param numbers whole numbers that a list contains
 * @param isList whether it is such a list
 */
public record ArmParameter(List<Integer> parameters, List<Long> numbers, boolean isList) {
    /**
     * A part of what each shard is asked.
     *
     * @param sql the text
     * @param parameters those that it has, in its order
     */
    record Part(String sql, List<ArmParameter> parameters) {
        /** Returns tokens as they are. */
        static Part of(SqlSpan span) {
            return new Part(span.sql(), plain(span.parameters()));
        }

        /**
         * Writes the FROM and WHERE of a query with arrays for its lists of ids.
         *
         * @param rows its tokens
         * @param isOwnId whether an expression is a column with ids of the row's shard
         */
        static Part of(SqlSpan rows, @Nullable Expression where, Predicate<Expression> isOwnId) {
            StringBuilder sql = new StringBuilder();
            List<ArmParameter> parameters = new ArrayList<>();
            int[] position = {rows.from()};
            Stream<Expression> conditions = where == null ? Stream.of() : alternatives(where);
            conditions
                    .filter(condition -> (condition.is(Kind.IN_LIST) || condition.is(Kind.EQUALS_ANY))
                            && isOwnId.test(condition.parts().get(0)))
                    .forEach(condition -> {
                        Ids list = new KeyValues(isOwnId).of(Stream.of(condition));
                        if (list != null && !list.isComputed()) {
                            SqlSpan before = new SqlSpan(
                                    rows.text(), position[0], condition.span().from());
                            sql.append(sql.isEmpty() ? "" : " ")
                                    .append(before.sql())
                                    .append(" (")
                                    .append(condition.parts().get(0).span().sql())
                                    .append(" = any (?))");
                            parameters.addAll(plain(before.parameters()));
                            parameters.add(new ArmParameter(list.parameters(), list.numbers(), true));
                            position[0] = condition.span().to();
                        }
                    });
            SqlSpan rest = new SqlSpan(rows.text(), position[0], rows.to());
            parameters.addAll(plain(rest.parameters()));
            return new Part(sql.isEmpty() ? rest.sql() : sql + " " + rest.sql(), parameters);
        }
    }

    /** Returns parameters that are sent as they are. */
    private static List<ArmParameter> plain(List<Integer> numbers) {
        return numbers.stream()
                .map(number -> new ArmParameter(List.of(number), List.of(), false))
                .toList();
    }

    /**
     * Returns the conditions of which AND and OR alone decide whether a row is found: for these, unknown is the
     * same as false, so that NULL in a list means nothing.
     */
    private static Stream<Expression> alternatives(Expression where) {
        return where.is(Kind.AND) || where.is(Kind.OR)
                ? where.parts().stream().flatMap(ArmParameter::alternatives)
                : Stream.of(where);
    }
}
