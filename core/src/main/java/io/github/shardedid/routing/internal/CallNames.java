package io.github.shardedid.routing.internal;

import io.github.shardedid.routing.RoutingDataSource;
import java.util.Locale;
import java.util.Set;

/** What the names in a text call or are: functions, types, the columns of an alias. */
final class CallNames {
    /** Functions of this library, which leave the search path alone. */
    private static final Set<String> OURS =
            Set.of("NEXT_ID", "NEXT_IDS", "NEXT_IDS_AFTER", "NEXT_ID_BLOCK", "LEASE_NODE", "RELEASE_NODE");

    private static final Set<String> TYPES = words(
            """
            BIGINT INT8 INTEGER INT INT4 SMALLINT INT2 NUMERIC DECIMAL DEC REAL FLOAT FLOAT4 FLOAT8 DOUBLE BOOLEAN BOOL TEXT
            VARCHAR CHARACTER CHAR BPCHAR NCHAR NATIONAL BYTEA UUID JSON JSONB XML DATE TIME TIMETZ TIMESTAMP TIMESTAMPTZ
            INTERVAL BIT VARBIT INET CIDR MACADDR MACADDR8 MONEY OID TSVECTOR TSQUERY INT4RANGE INT8RANGE NUMRANGE TSRANGE
            TSTZRANGE DATERANGE
            """);

    /** Words that may stand before a literal without being its type; types are among them by {@link #TYPES}. */
    private static final Set<String> BEFORE_LITERALS = words(
            """
            SELECT DISTINCT ALL WHERE AND OR NOT LIKE ILIKE SIMILAR TO THEN ELSE WHEN CASE BETWEEN SYMMETRIC ESCAPE FROM BY
            LIMIT ON RETURNING ANY SOME IN ZONE UESCAPE USING HAVING FOR
            """);

    /** They look into a schema, or call what their arguments name. */
    private static final Set<String> DEPENDENT = Set.of("JSON_TABLE", "CURRENT_SCHEMA", "CURRENT_CATALOG", "XMLTABLE");

    private final SqlText text;

    CallNames(SqlText text) {
        this.text = text;
    }

    private static Set<String> words(String text) {
        return Set.of(text.strip().split("\\s+"));
    }

    /** The last part of the name that begins at a token. */
    int lastOfName(int i) {
        int last = i;
        while (text.is(last + 1, ".") && text.isName(last + 2)) {
            last += 2;
        }
        return last;
    }

    /** Whether a parenthesis behind a name begins something else than arguments. */
    boolean isNoCall(int first, int last, boolean amongTables) {
        if (first == last && HarmlessFunctions.isKeyword(text.at(first)) && isInItsPlace(first)) {
            return true;
        }
        return switch (text.at(first - 1)) {
            case "INTO", "AS", "WITH", "RECURSIVE" -> true; // columns of a table, an alias or a table expression
            case ")" -> amongTables;
            case ":", "::" -> true; // a type
            case "," -> text.is(0, "WITH") && isTableExpression(last + 1);
            default -> text.is(first, "CONFLICT") || text.is(first, "INSERT");
        };
    }

    /** Words that are not reserved could also be names of functions. */
    private boolean isInItsPlace(int i) {
        return switch (text.at(i)) {
            case "FILTER", "OVER" -> text.is(i - 1, ")");
            case "SETS" -> text.is(i - 1, "GROUPING");
            case "MATERIALIZED" -> text.is(i - 1, "AS") || text.is(i - 1, "NOT");
            default -> true;
        };
    }

    private boolean isTableExpression(int open) {
        return text.is(SqlNames.closing(text, open) + 1, "AS");
    }

    /** Whether a name without a schema, or with {@code pg_catalog}, is that of a function that is known to change nothing. */
    boolean isKnown(int i) {
        return text.is(i + 1, ".")
                ? text.is(i, "PG_CATALOG") && !text.is(i + 2, "SET_CONFIG")
                : HarmlessFunctions.contains(text.at(i)) && !DEPENDENT.contains(text.at(i));
    }

    /** Whether a name with a schema is that of a function of this library. */
    boolean isOurs(int i) {
        boolean ofShard = text.is(i, RoutingDataSource.SCHEMA_PLACEHOLDER.toUpperCase(Locale.ROOT));
        return text.is(i, "SHARDED_ID") || (ofShard && OURS.contains(text.at(i + 2)));
    }

    /** Whether a name that is not called depends on the path: a type, a collation, or what looks into a schema. */
    boolean isDependentName(int i) {
        if (DEPENDENT.contains(text.at(i)) || (text.is(i, "ROWS") && text.is(i + 1, "FROM"))) {
            return true;
        }
        if (text.is(i - 1, "::") || (text.is(i - 1, ":") && text.is(i - 2, ":")) || isTypeOfCast(i)) {
            return !isBuiltInType(i);
        }
        if (text.is(i - 1, "COLLATE")) {
            return !text.raw(i).equals("\"C\"") && !text.raw(i).equals("\"POSIX\"");
        }
        boolean typed = i + 1 < text.size()
                && text.kind(i + 1) == SqlToken.Kind.LITERAL
                && !Character.isDigit(text.raw(i + 1).charAt(0))
                && text.raw(i + 1).charAt(0) != '.';
        return typed && !BEFORE_LITERALS.contains(text.at(i)) && !isBuiltInType(i);
    }

    private boolean isBuiltInType(int i) {
        return TYPES.contains(text.at(i));
    }

    /** {@code CAST(… AS type)}, of which this library itself casts parameters to {@code regclass}. */
    private boolean isTypeOfCast(int i) {
        if (!text.is(i - 1, "AS")) {
            return false;
        }
        int depth = 0;
        int open = i - 2;
        while (open >= 0 && (depth > 0 || !text.is(open, "("))) {
            depth -= SqlNames.depthChange(text, open);
            open--;
        }
        boolean ours = text.is(i, "REGCLASS") && text.is(i - 2, "?") && isOurs(open - 5);
        return text.is(open - 1, "CAST") && !ours;
    }

    /** Whether a function takes a sequence that a literal names, with the placeholder of a schema or without. */
    boolean takesSequence(int last, boolean qualified) {
        return SqlTraits.takesSequence(text, last)
                && last + 2 < text.size()
                && text.kind(last + 2) == SqlToken.Kind.LITERAL
                && (SchemaPlaceholder.in(text, last + 2) != null) == qualified;
    }
}
