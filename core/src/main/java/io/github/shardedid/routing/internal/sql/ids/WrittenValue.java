package io.github.shardedid.routing.internal.sql.ids;

import io.github.shardedid.routing.internal.sql.lexer.SqlNames;
import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import io.github.shardedid.routing.internal.sql.lexer.SqlToken;
import java.math.BigInteger;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A value that a text writes into a column, without the parentheses, casts and signs around it.
 *
 * @param kind what the value is
 * @param from its first token
 * @param end behind its last token
 * @param negative whether a minus is before it
 * @param number of {@link Kind#NUMBER}, with its sign
 */
record WrittenValue(Kind kind, int from, int end, boolean negative, @Nullable BigInteger number) {
    /** Types to which a cast leaves an integer as it is, or fails. */
    private static final Set<String> TYPES =
            Set.of("bigint", "int8", "integer", "int", "int4", "smallint", "int2", "text", "varchar");

    /** As {@link #TYPES}; these may have a precision. */
    private static final Set<String> DECIMALS = Set.of("numeric", "decimal", "dec");

    /** What a value is. */
    enum Kind {
        /** DEFAULT, NULL, or a literal that is no number. */
        NO_ID,
        PARAMETER,
        NUMBER,
        /** Any other expression. */
        EXPRESSION
    }

    static WrittenValue of(SqlText text, int first, int behind) {
        int from = first;
        int end = behind;
        boolean negative = false;
        while (from < end) {
            int cast = last(text, from, end, "::");
            if (text.is(from, "(") && SqlNames.closing(text, from) == end - 1) {
                from++;
                end--;
            } else if (text.is(from, "+") || text.is(from, "-")) {
                negative ^= text.is(from, "-");
                from++;
            } else if (text.is(from, "CAST") && text.is(from + 1, "(") && SqlNames.closing(text, from + 1) == end - 1) {
                int as = last(text, from + 2, end - 1, "AS");
                if (as < 0 || !isType(text, as + 1, end - 1)) {
                    break;
                }
                from += 2;
                end = as;
            } else if (cast >= 0 && isType(text, cast + 1, end)) {
                end = cast;
            } else {
                break;
            }
        }
        return core(text, from, end, negative);
    }

    private static WrittenValue core(SqlText text, int from, int end, boolean negative) {
        Kind kind = Kind.EXPRESSION;
        BigInteger number = null;
        if (end - from == 1) {
            if (text.is(from, "?") && !negative) {
                kind = Kind.PARAMETER;
            } else if (text.is(from, "NULL") || text.is(from, "DEFAULT")) {
                kind = Kind.NO_ID;
            } else if (text.kind(from) == SqlToken.Kind.LITERAL) {
                number = WrittenNumber.exactLiteral(text.raw(from));
                boolean possible = WrittenNumber.isPossibleLiteral(text.raw(from));
                kind = number != null ? Kind.NUMBER : possible ? Kind.EXPRESSION : Kind.NO_ID;
            }
        }
        return new WrittenValue(kind, from, end, negative, number != null && negative ? number.negate() : number);
    }

    /** The last of these tokens outside of parentheses; -1 if there is none. */
    private static int last(SqlText text, int from, int end, String token) {
        int found = -1;
        for (int i = from; i < end; i++) {
            if (SqlNames.depthChange(text, i) > 0) {
                i = SqlNames.closing(text, i);
            } else if (text.is(i, token)) {
                found = i;
            }
        }
        return found;
    }

    private static boolean isType(SqlText text, int first, int end) {
        int from = text.is(first, "PG_CATALOG") && text.is(first + 1, ".") ? first + 2 : first;
        if (from >= end || !text.isName(from)) {
            return false;
        }
        String name = SqlNames.folded(text, from);
        if (DECIMALS.contains(name)) {
            boolean precision = text.is(from + 1, "(")
                    && (end == from + 4
                            || (end == from + 6
                                    && text.is(from + 3, ",")
                                    && text.raw(from + 4).equals("0")));
            return end == from + 1 || precision;
        }
        boolean varying = name.equals("character") && text.is(from + 1, "VARYING") && end == from + 2;
        return varying || (end == from + 1 && TYPES.contains(name));
    }
}
