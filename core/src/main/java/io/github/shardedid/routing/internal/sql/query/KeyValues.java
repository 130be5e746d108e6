package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.ComparedIds.Ids;
import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.internal.sql.grammar.Expression;
import io.github.shardedid.routing.internal.sql.grammar.Expression.Kind;
import io.github.shardedid.routing.internal.sql.grammar.Select;
import io.github.shardedid.routing.internal.sql.grammar.SqlSpan;
import java.math.BigInteger;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads with which values a condition compares columns with ids, so that each row that fulfils it has one of
 * them:
 *
 * <ol>
 *   <li>Of parts that must all be true, the one that says most counts: an equality, else a list, else a value
 *       that only the database knows.
 *   <li>Of alternatives, each must say something, and their ids are joined; if one of them says nothing, any
 *       row may fulfil it.
 *   <li>A value may be a parameter, a whole number, or a subselect of these without a table, such as {@code
 *       select unnest(?)}. A value that a row decides says nothing, and one that the database computes from a
 *       parameter is an id that is not known.
 * </ol>
 *
 * @param keyed whether an expression is a column with ids of the row's shard
 */
record KeyValues(Predicate<Expression> keyed) {
    /** A cast to one of these, or to an array of them, leaves an id what it is. */
    private static final Pattern TYPE = Pattern.compile(
            "(?i:(?:pg_catalog\\s*\\.\\s*)?(?:bigint|int[248]?|integer|smallint|numeric|decimal|text|varchar|character"
                    + "\\s+varying)(?:\\s*\\[\\s*])*)");

    /** The tokens before a number that leave it what it is. */
    private static final Pattern TYPES_AND_SIGNS = Pattern.compile("[+]?|" + TYPE.pattern());

    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,19}|'\\s*([+-]?[0-9]{1,19})\\s*'");

    /**
     * Returns what conditions that must all be true require: an equality rather than a list, a list rather than
     * a value that is not known. Null if nothing.
     */
    @Nullable
    Ids of(Stream<Expression> conditions) {
        return best(conditions.flatMap(Expression::conjuncts).map(this::ofOne));
    }

    /** Returns the requirement that says most; null if there is none. */
    private static @Nullable Ids best(Stream<@Nullable Ids> all) {
        return all.filter(Objects::nonNull)
                .min(Comparator.comparingInt(KeyValues::rank))
                .orElse(null);
    }

    /**
     * Returns how little a requirement says: an equality is 0, a list 1, a value that only the database knows
     * 2.
     */
    private static int rank(Ids ids) {
        return ids.isComputed() ? 2 : ids.isList() ? 1 : 0;
    }

    /** Returns what a condition that is no conjunction requires; null if nothing. */
    private @Nullable Ids ofOne(Expression condition) {
        List<Expression> parts = condition.parts();
        return switch (condition.kind()) {
            case AND -> of(Stream.of(condition));
            case OR -> any(parts.stream().map(part -> of(Stream.of(part))).toList());
            case EQUALS, NOT_DISTINCT -> equal(parts.get(0), parts.get(1));
            case IN_LIST, EQUALS_ANY -> among(parts.get(0), elements(parts.get(1)));
            case IN_SELECT -> among(parts.get(0), selected(condition));
            default -> null;
        };
    }

    /** Returns what an equality requires. Of two rows, each pair of values must be equal. */
    private @Nullable Ids equal(Expression one, Expression other) {
        if (isRow(one) && isRow(other)) {
            return best(IntStream.range(
                            0, Math.min(one.parts().size(), other.parts().size()))
                    .mapToObj(i -> equal(one.parts().get(i), other.parts().get(i))));
        }
        return isKey(one) ? value(one, other, false) : isKey(other) ? value(other, one, false) : null;
    }

    /**
     * Returns what is required if an expression has one of several values. Of rows, it is required of their
     * values in the same position.
     */
    private @Nullable Ids among(Expression one, List<Expression> values) {
        if (isRow(one)) {
            return best(IntStream.range(0, one.parts().size())
                    .filter(i -> values.stream()
                            .allMatch(row -> isRow(row) && row.parts().size() > i))
                    .mapToObj(i -> among(
                            one.parts().get(i),
                            values.stream().map(row -> row.parts().get(i)).toList())));
        } else if (isKey(one)) {
            return any(values.stream().map(value -> value(one, value, true)).toList());
        }
        return values.stream().allMatch(this::isKey)
                ? any(values.stream().map(key -> value(key, one, true)).toList())
                : null;
    }

    /** Returns what is required if one of several alternatives holds; null if one of them requires nothing. */
    private static @Nullable Ids any(List<@Nullable Ids> alternatives) {
        List<Ids> all = alternatives.stream().filter(Objects::nonNull).toList();
        return all.isEmpty() || all.size() < alternatives.size()
                ? null
                : new Ids(
                        all.get(0).column(),
                        all.stream().flatMap(ids -> ids.parameters().stream()).toList(),
                        all.stream().flatMap(ids -> ids.numbers().stream()).toList(),
                        true,
                        all.stream().anyMatch(Ids::isComputed));
    }

    private boolean isKey(Expression expression) {
        return keyed.test(uncast(expression));
    }

    /** Returns what is required if a key has a value; null if a row decides what the value is. */
    private @Nullable Ids value(Expression key, Expression compared, boolean list) {
        Expression value = uncast(compared);
        String column = uncast(key).span().sql();
        SqlSpan span = value.span();
        Long number = number(span);
        if (span.is("?") || span.is("NULL")) {
            return new Ids(column, span.parameters(), List.of(), list, false);
        } else if (number != null) {
            return new Ids(column, List.of(), List.of(number), list, false);
        } else if (value.select() != null) {
            return among(key, selected(value));
        }
        return isGiven(value) ? new Ids(column, List.of(), List.of(), list, true) : null;
    }

    /** Returns the values of a subselect that reads no table, of one of {@code unnest(…)} its elements; else none. */
    private static List<Expression> selected(Expression condition) {
        Select select = condition.select();
        if (select == null
                || !select.from.isEmpty()
                || select.where != null
                || !select.isRowByRow()
                || !select.further.isEmpty()
                || select.items.size() != 1) {
            return List.of();
        }
        Expression item = select.items.get(0).expression();
        boolean array = item.is(Kind.CALL)
                && item.name().equals("unnest")
                && item.parts().size() == 1;
        return elements(array ? item.parts().get(0) : item);
    }

    /** Returns what a list in parentheses or an array consists of; else itself. */
    private static List<Expression> elements(Expression values) {
        Expression list = uncast(values);
        SqlSpan span = list.span();
        boolean array = span.text().is(span.from(), "ARRAY") && span.text().is(span.from() + 1, "[");
        return isRow(list) || (array && span.text().closing(span.from() + 1) == span.to() - 1)
                ? list.parts()
                : List.of(list);
    }

    /** Returns whether this is several values in parentheses. */
    private static boolean isRow(Expression expression) {
        SqlSpan span = expression.span();
        int open = span.from() + (span.text().is(span.from(), "ROW") ? 1 : 0);
        return expression.is(Kind.OTHER)
                && span.text().is(open, "(")
                && span.text().closing(open) == span.to() - 1;
    }

    /** Returns an expression without casts that leave an id what it is. */
    private static Expression uncast(Expression expression) {
        Expression value = expression;
        while (value.is(Kind.CAST) && TYPE.matcher(value.name()).matches()) {
            value = value.parts().get(0);
        }
        return value;
    }

    /**
     * Returns whether the database computes a value from a parameter or a number that may be an id, and from
     * nothing that is read from a row.
     */
    private boolean isGiven(Expression value) {
        SqlText text = value.span().text();
        boolean id = false;
        for (int i = value.span().from(); i < value.span().to(); i++) {
            Long number = number(new SqlSpan(text, i, i + 1));
            id |= text.is(i, "?") || (number != null && number > Integer.MAX_VALUE);
            if (text.is(i, "FROM") || text.is(i, "TABLE")) {
                return false;
            }
        }
        return id && !value.has(part -> part.is(Kind.COLUMN));
    }

    /**
     * Returns a whole number, as digits or as a string, with a sign or a type before it or not; null for all
     * else.
     */
    private static @Nullable Long number(SqlSpan span) {
        SqlText text = span.text();
        String before = span.size() == 2 ? text.raw(span.from()) : "";
        Matcher digits = NUMBER.matcher(span.isEmpty() || span.size() > 2 ? "" : text.raw(span.to() - 1));
        boolean minus = before.equals("-");
        if (!digits.matches() || !(minus || TYPES_AND_SIGNS.matcher(before).matches())) {
            return null;
        }
        BigInteger number = new BigInteger(digits.group(1) == null ? digits.group() : digits.group(1));
        return number.bitLength() < Long.SIZE ? Long.valueOf((minus ? number.negate() : number).longValue()) : null;
    }
}
