package io.github.shardedid.routing.internal;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How the values that an aggregate has in each shard become one. */
enum Aggregate {
    SUM,
    MIN,
    MAX,
    ANY;

    private static final Set<String> FUNCTIONS = Set.of(
            "COUNT",
            "SUM",
            "MIN",
            "MAX",
            "AVG",
            "EVERY",
            "BOOL_AND",
            "BOOL_OR",
            "BIT_AND",
            "BIT_OR",
            "BIT_XOR",
            "ANY_VALUE",
            "ARRAY_AGG",
            "STRING_AGG",
            "XMLAGG",
            "JSON_AGG",
            "JSONB_AGG",
            "JSON_OBJECT_AGG",
            "JSONB_OBJECT_AGG",
            "JSON_ARRAYAGG",
            "JSON_OBJECTAGG",
            "LISTAGG",
            "RANGE_AGG",
            "RANGE_INTERSECT_AGG",
            "STDDEV",
            "STDDEV_POP",
            "STDDEV_SAMP",
            "VARIANCE",
            "VAR_POP",
            "VAR_SAMP",
            "CORR",
            "COVAR_POP",
            "COVAR_SAMP",
            "REGR_AVGX",
            "REGR_AVGY",
            "REGR_COUNT",
            "REGR_INTERCEPT",
            "REGR_R2",
            "REGR_SLOPE",
            "REGR_SXX",
            "REGR_SXY",
            "REGR_SYY",
            "MODE",
            "PERCENTILE_CONT",
            "PERCENTILE_DISC",
            "GROUPING");

    /** Whether a token is the name of an aggregate function that is called there. */
    static boolean isCall(SqlText text, int i) {
        return FUNCTIONS.contains(text.at(i)) && text.is(i + 1, "(");
    }

    /** Whether an aggregate is called in it, but for subselects. */
    static boolean isIn(SqlSpan span) {
        SqlText text = span.text();
        for (int i = span.from(); i < span.to(); i++) {
            if (SqlNames.opensSelect(text, i)) {
                i = SqlNames.closing(text, i);
            } else if (isCall(text, i)) {
                return true;
            }
        }
        return false;
    }

    /** The aggregates of a select list; empty if it has none. One that cannot be merged is refused. */
    static List<Aggregate> of(List<SelectItem> items, SqlText text) {
        if (items.size() == 1 && isExists(items.get(0).expression())) {
            return List.of(ANY);
        }
        if (items.stream().noneMatch(item -> isIn(item.expression()))) {
            return List.of();
        }
        return items.stream().map(item -> of(item.expression(), text)).toList();
    }

    /** {@code exists (select …)} and nothing else. */
    static boolean isExists(SqlSpan item) {
        SqlText text = item.text();
        return text.is(item.from(), "EXISTS")
                && SqlNames.opensSelect(text, item.from() + 1)
                && SqlNames.closing(text, item.from() + 1) == item.to() - 1;
    }

    private static Aggregate of(SqlSpan item, SqlText text) {
        Aggregate aggregate = isWhole(item) ? named(text.at(item.from())) : null;
        boolean distinct = text.is(item.from() + 2, "DISTINCT");
        if (aggregate == null || (distinct && aggregate == SUM)) {
            throw ScatterRefusal.of(
                    "The aggregate " + item.sql(),
                    text,
                    "What can be merged is a select list of count, sum, min and max, each by itself and without"
                            + " DISTINCT: an average is sum and count, divided by the application.");
        }
        return aggregate;
    }

    private static @Nullable Aggregate named(String function) {
        return switch (function) {
            case "COUNT", "SUM" -> SUM;
            case "MIN" -> MIN;
            case "MAX" -> MAX;
            default -> null;
        };
    }

    /** A call, perhaps with a FILTER, and nothing else. */
    private static boolean isWhole(SqlSpan item) {
        SqlText text = item.text();
        int close = text.is(item.from() + 1, "(") ? SqlNames.closing(text, item.from() + 1) : item.to();
        if (text.is(close + 1, "FILTER") && text.is(close + 2, "(")) {
            close = SqlNames.closing(text, close + 2);
        }
        return close == item.to() - 1;
    }
}
