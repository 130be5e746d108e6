package io.github.shardedid.routing.internal.sql.grammar;

import io.github.shardedid.routing.internal.sql.lexer.SqlKeywords;

/** Reads the names of types. */
record TypeReader(SqlCursor cursor) {
    /** Steps over a type; false, and somewhere behind, if none is there. */
    boolean skip() {
        int start = cursor.position;
        if (!SqlKeywords.isFunctionName(cursor.text, start)) {
            return false;
        }
        cursor.position++;
        if (cursor.text.is(start, "NATIONAL")) {
            cursor.acceptAny("CHARACTER", "CHAR");
        }
        String last = cursor.text.at(cursor.position - 1);
        boolean more = last.equals("DOUBLE")
                ? cursor.accept("PRECISION")
                : (last.equals("CHARACTER") || last.equals("CHAR") || last.equals("NCHAR") || last.equals("BIT"))
                        && cursor.accept("VARYING");
        while (!more && cursor.is(".") && cursor.text.isName(cursor.position + 1)) {
            cursor.position += 2;
        }
        boolean plain = cursor.position == start + 1;
        skipModifiers();
        if (plain && (last.equals("TIMESTAMP") || last.equals("TIME")) && cursor.isAny("WITH", "WITHOUT")) {
            cursor.position++;
            return cursor.accept("TIME", "ZONE") && skipArray();
        } else if (plain && last.equals("INTERVAL")) {
            skipFields();
        }
        return skipArray();
    }

    /** {@code year to month} of an interval. */
    void skipFields() {
        while (cursor.acceptAny("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND")) {
            skipModifiers();
            cursor.accept("TO");
        }
    }

    /** {@code (10, 2)}: numbers only, and nothing at all if something else is there. */
    private void skipModifiers() {
        int start = cursor.position;
        if (cursor.accept("(")) {
            while (cursor.atLiteral()) {
                cursor.position++;
                cursor.accept(",");
            }
            if (!cursor.accept(")")) {
                cursor.position = start;
            }
        }
    }

    private boolean skipArray() {
        cursor.accept("ARRAY");
        while (cursor.is("[")) {
            cursor.position++;
            if (cursor.atLiteral()) {
                cursor.position++;
            }
            if (!cursor.accept("]")) {
                return false;
            }
        }
        return true;
    }
}
