package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.internal.sql.SqlText;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The lists of parameters and whole numbers in a text: {@code IN (?, 2, NULL)} and {@code ANY (ARRAY[?, ?])}. Written as one parameter
 * each, they make the same text whatever their length is. Immutable.
 */
public final class ValueLists {
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,19}");

    private final SqlText text;
    private final List<Found> lists = new ArrayList<>();
    private final Written collapsed;

    /**
     * What a parameter of a written text stands for.
     *
     * @param isList whether it stands for a list; else for one parameter
     * @param parameters the parameters of the original text, numbered from 1
     * @param numbers whole numbers that the list contains
     * @param hasNull whether the list contains NULL
     */
    public record Values(boolean isList, List<Integer> parameters, List<Long> numbers, boolean hasNull) {}

    /** A text, and what its parameters stand for. */
    public record Written(String sql, List<Values> values) {}

    /**
     * A list.
     *
     * @param parameter its number where each list is one parameter
     * @param word where {@code IN}, {@code NOT IN} or {@code ARRAY} begins
     * @param from where that begins which one parameter replaces
     * @param to where it ends
     */
    private record Found(int parameter, int word, int from, int to, Values values) {}

    private ValueLists(SqlText text) {
        this.text = text;
        int fewer = 0;
        for (int i = 0; i < text.size(); i++) {
            boolean in = text.is(i, "IN") && text.is(i + 1, "(");
            boolean array = text.is(i, "ARRAY") && text.is(i + 1, "[") && text.is(i - 1, "(");
            Found found = in || array ? list(i, in, text.parametersBefore(i) - fewer + 1) : null;
            if (found != null) {
                lists.add(found);
                fewer += found.values.parameters.size() - 1;
                i = found.to - 1;
            }
        }
        this.collapsed = write(null);
    }

    public static ValueLists of(SqlText text) {
        return new ValueLists(text);
    }

    private @Nullable Found list(int word, boolean in, int parameter) {
        List<Integer> parameters = new ArrayList<>();
        List<Long> numbers = new ArrayList<>();
        boolean hasNull = false;
        int i = word + 1;
        do {
            i++;
            boolean negative = text.is(i, "-");
            i += negative ? 1 : 0;
            if (text.is(i, "?") && !negative) {
                parameters.add(text.parametersBefore(i) + 1);
            } else if (text.is(i, "NULL") && !negative) {
                hasNull = true;
            } else {
                Long number = i < text.size() ? number(text.raw(i)) : null;
                if (number == null) {
                    return null;
                }
                numbers.add(negative ? -number : number);
            }
            i++;
        } while (text.is(i, ","));
        Values values = new Values(true, List.copyOf(parameters), List.copyOf(numbers), hasNull);
        if (in) {
            int begin = text.is(word - 1, "NOT") ? word - 1 : word;
            return text.is(i, ")") ? new Found(parameter, begin, word + 2, i, values) : null;
        }
        return text.is(i, "]") ? new Found(parameter, word, word, i + 1, values) : null;
    }

    /** Returns a whole number that is written in digits; null for all else. */
    static @Nullable Long number(String raw) {
        if (!NUMBER.matcher(raw).matches()) {
            return null;
        }
        BigInteger number = new BigInteger(raw);
        return number.bitLength() < Long.SIZE ? number.longValue() : null;
    }

    /** Returns what it takes in memory, by a generous estimate. */
    public int bytes() {
        return 2 * text.sql().length() + 200 * text.size();
    }

    /** Returns the text as it is. */
    public Written original() {
        return write(Map.of());
    }

    /** Returns the text in which each list is one parameter. */
    public Written collapsed() {
        return collapsed;
    }

    /**
     * Returns the text in which some lists are an array that is one parameter.
     *
     * @param ids by the number of a list's parameter in the collapsed text, how many tokens the column takes that is compared with it
     */
    public Written withArrays(Map<Integer, Integer> ids) {
        return write(ids);
    }

    private Written write(@Nullable Map<Integer, Integer> ids) {
        StringBuilder sql = new StringBuilder();
        List<Values> values = new ArrayList<>();
        int next = 0;
        for (Found list : lists) {
            Integer column = ids == null ? Integer.valueOf(0) : ids.get(list.parameter);
            if (column == null) {
                continue;
            }
            boolean isArray = ids == null || text.is(list.word, "ARRAY");
            int begin = isArray ? list.from : list.word - column;
            copy(next, begin, sql, values);
            if (isArray) {
                sql.append('?');
                next = list.to;
            } else {
                sql.append('(').append(text.sql(), text.start(begin), text.start(list.word));
                sql.append(text.is(list.word, "NOT") ? "<> all (?))" : "= any (?))");
                next = list.to + 1;
            }
            values.add(list.values);
        }
        copy(next, text.size(), sql, values);
        return new Written(sql.toString(), List.copyOf(values));
    }

    private void copy(int from, int to, StringBuilder sql, List<Values> values) {
        int end = to < text.size() ? text.start(to) : text.sql().length();
        sql.append(
                text.sql(),
                from == 0 ? 0 : text.start(from - 1) + text.raw(from - 1).length(),
                end);
        for (int i = text.parametersBefore(from); i < text.parametersBefore(to); i++) {
            values.add(new Values(false, List.of(i + 1), List.of(), false));
        }
    }
}
