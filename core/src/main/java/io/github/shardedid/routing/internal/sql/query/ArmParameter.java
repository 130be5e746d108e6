package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.internal.sql.grammar.Expression;
import io.github.shardedid.routing.internal.sql.grammar.Expression.Kind;
import io.github.shardedid.routing.internal.sql.grammar.SqlSpan;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A parameter of what each shard is asked: one of the query's, or a list of ids, {@code id in (?, 2, NULL)} or
 * {@code id = any (?)}.
 *
 * <p>A list is sent as one array. So the text is the same whatever its length is, and stays prepared; a list
 * may be longer than the number of parameters that a statement can have; and each shard can be sent its own
 * ids.
 *
 * @param type what it is
 * @param parameters the query's parameters that it consists of, numbered from 1
 * @param numbers whole numbers that a list contains
 * @param hasNull whether a list contains NULL
 */
public record ArmParameter(Type type, List<Integer> parameters, List<Long> numbers, boolean hasNull) {
    /** The kinds of parameters. */
    public enum Type {
        PLAIN,
        LIST,
        /** A list of which a shard needs its own ids only: the rows have one of them. */
        LIST_OF_SHARD
    }

    private static final Pattern NUMBER = Pattern.compile("-?\\s*[0-9]{1,19}");

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
            if (where != null) {
                where.walk()
                        .filter(condition -> operator(condition) != null
                                && isOwnId.test(condition.parts().get(0)))
                        .forEach(condition -> {
                            ArmParameter list = list(condition.parts().get(1), isRequired(where, condition));
                            if (list != null) {
                                SqlSpan before = new SqlSpan(
                                        rows.text(),
                                        position[0],
                                        condition.span().from());
                                sql.append(sql.isEmpty() ? "" : " ")
                                        .append(before.sql())
                                        .append(" (")
                                        .append(condition.parts().get(0).span().sql())
                                        .append(operator(condition));
                                parameters.addAll(plain(before.parameters()));
                                parameters.add(list);
                                position[0] = condition.span().to();
                            }
                        });
            }
            SqlSpan rest = new SqlSpan(rows.text(), position[0], rows.to());
            parameters.addAll(plain(rest.parameters()));
            return new Part(sql.isEmpty() ? rest.sql() : sql + " " + rest.sql(), parameters);
        }
    }

    /** Returns parameters that are sent as they are. */
    private static List<ArmParameter> plain(List<Integer> numbers) {
        return numbers.stream()
                .map(number -> new ArmParameter(Type.PLAIN, List.of(number), List.of(), false))
                .toList();
    }

    /** Returns how a condition on a list is written with an array; null if it has none. */
    private static @Nullable String operator(Expression condition) {
        return switch (condition.kind()) {
            case IN_LIST, EQUALS_ANY -> " = any (?))";
            case IN_NONE -> " <> all (?))";
            default -> null;
        };
    }

    /**
     * Returns whether a row has an id of a list if it fulfils a condition. A list that is not required keeps
     * the ids of other shards: NULL in an empty list is false, and not NULL.
     */
    private static boolean isRequired(Expression where, Expression list) {
        return (where.equals(list) && !list.is(Kind.IN_NONE))
                || ((where.is(Kind.AND) || where.is(Kind.OR))
                        && where.parts().stream().anyMatch(part -> isRequired(part, list)));
    }

    /** Returns what is in parentheses or an array; null if a value is neither a parameter nor a whole number. */
    private static @Nullable ArmParameter list(Expression list, boolean required) {
        SqlText text = list.span().text();
        int open = list.span().from() + (text.is(list.span().from(), "ARRAY") ? 1 : 0);
        boolean several = (text.is(open, "(") || text.is(open, "["))
                && text.closing(open) == list.span().to() - 1;
        List<Integer> parameters = new ArrayList<>();
        List<Long> numbers = new ArrayList<>();
        boolean hasNull = false;
        if (list.select() != null) {
            return null;
        }
        for (Expression value : several ? list.parts() : List.of(list)) {
            String sql = value.span().sql();
            if (value.span().is("?")) {
                parameters.addAll(value.span().parameters());
            } else if (value.span().is("NULL")) {
                hasNull = true;
            } else if (NUMBER.matcher(sql).matches()
                    && new BigInteger(sql.replaceAll("\\s", "")).bitLength() < Long.SIZE) {
                numbers.add(Long.valueOf(sql.replaceAll("\\s", "")));
            } else {
                return null;
            }
        }
        return new ArmParameter(required ? Type.LIST_OF_SHARD : Type.LIST, parameters, numbers, hasNull);
    }
}
