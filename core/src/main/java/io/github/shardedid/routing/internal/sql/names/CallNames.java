package io.github.shardedid.routing.internal.sql.names;

import io.github.shardedid.routing.internal.sql.lexer.SqlKeywords;
import io.github.shardedid.routing.internal.sql.lexer.SqlNames;
import io.github.shardedid.routing.internal.sql.lexer.SqlNumbers;
import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import io.github.shardedid.routing.internal.sql.lexer.SqlToken;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** What the names in a text call or are: functions, types, the columns of an alias. */
public record CallNames(SqlText text) {
    /** Functions of this library, which leave the search path alone. */
    private static final Set<String> OURS =
            Set.of("NEXT_ID", "NEXT_IDS", "NEXT_IDS_AFTER", "NEXT_ID_BLOCK", "LEASE_NODE", "RELEASE_NODE");

    private static final Set<String> TYPES = SqlKeywords.words(
            """
            BIGINT INT8 INTEGER INT INT4 SMALLINT INT2 NUMERIC DECIMAL DEC REAL FLOAT FLOAT4 FLOAT8 DOUBLE BOOLEAN BOOL TEXT
            VARCHAR CHARACTER CHAR BPCHAR NCHAR NATIONAL BYTEA UUID JSON JSONB XML DATE TIME TIMETZ TIMESTAMP TIMESTAMPTZ
            INTERVAL BIT VARBIT INET CIDR MACADDR MACADDR8 MONEY OID TSVECTOR TSQUERY INT4RANGE INT8RANGE NUMRANGE TSRANGE
            TSTZRANGE DATERANGE
            """);

    /** Words that may stand before a literal without being its type; types are among them by {@link #TYPES}. */
    private static final Set<String> BEFORE_LITERALS = SqlKeywords.words(
            """
            SELECT DISTINCT ALL WHERE AND OR NOT LIKE ILIKE SIMILAR TO THEN ELSE WHEN CASE BETWEEN SYMMETRIC ESCAPE FROM BY
            LIMIT ON RETURNING ANY SOME IN ZONE UESCAPE USING HAVING FOR
            """);

    /** They look into a schema, or call what their arguments name. */
    private static final Set<String> DEPENDENT =
            Set.of("JSON_TABLE", "CURRENT_SCHEMA", "CURRENT_SCHEMAS", "CURRENT_CATALOG", "XMLTABLE");

    /** Of PostgreSQL's functions those that look names up, or say what the path is; others take a name as regclass and the like. */
    private static final Pattern LOOKS_UP = Pattern.compile("PG_\\w+_IS_VISIBLE|CURRENT_SCHEMAS?|TO_REG\\w+");

    /** Words that are not reserved, and have an expression behind them. */
    private static final Set<String> BEFORE_EXPRESSION =
            Set.of("BY", "BETWEEN", "ESCAPE", "ZONE", "ROWS", "RANGE", "GROUPS");

    private static final Set<String> BEFORE_JOIN =
            Set.of("INNER", "LEFT", "RIGHT", "FULL", "OUTER", "CROSS", "NATURAL");

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
        if (first == last && HarmlessFunctions.isKeyword(text.at(first)) && standsAsKeyword(first)) {
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
    public boolean standsAsKeyword(int i) {
        return switch (text.at(i)) {
            case "FILTER", "OVER" -> text.is(i - 1, ")");
            case "SETS" -> text.is(i - 1, "GROUPING");
            case "MATERIALIZED" -> text.is(text.is(i - 1, "NOT") ? i - 2 : i - 1, "AS");
            case "BY" -> text.is(i - 1, "ORDER") || text.is(i - 1, "GROUP") || text.is(i - 1, "PARTITION");
            case "ROLLUP", "CUBE" -> text.is(i - 1, "BY") && text.is(i - 2, "GROUP");
            case "LIKE", "ILIKE" -> endsOperand(text.is(i - 1, "NOT") ? i - 2 : i - 1);
            case "ESCAPE" -> i > 1 && (text.kind(i - 1) == SqlToken.Kind.LITERAL || text.is(i - 1, "?"));
            case "JOIN" -> BEFORE_JOIN.contains(text.at(i - 1)) || endsOperand(i - 1);
            default -> true;
        };
    }

    private boolean endsOperand(int i) {
        boolean name = SqlKeywords.isColumnName(text, i) && !BEFORE_EXPRESSION.contains(text.at(i));
        boolean literal = i >= 0 && text.kind(i) == SqlToken.Kind.LITERAL;
        return name || literal || text.is(i - 1, ".") || text.is(i, ")") || text.is(i, "]") || text.is(i, "?");
    }

    private boolean isTableExpression(int open) {
        return text.is(SqlNames.closing(text, open) + 1, "AS");
    }

    /** Whether a name without a schema, or with {@code pg_catalog}, is that of a function that is known to change nothing. */
    boolean isKnown(int i) {
        return text.is(i + 1, ".")
                ? text.is(i, "PG_CATALOG") && !maySetPath(i + 2) && !dependsOnPath(i + 2)
                : (HarmlessFunctions.contains(text.at(i)) && !DEPENDENT.contains(text.at(i))) || isOfOtherSetting(i);
    }

    private boolean maySetPath(int i) {
        return text.is(i, "SET_CONFIG") && !isOfOtherSetting(i);
    }

    /** Hibernate asks for the lock timeout; transactions set the tenant or the user of policies and triggers. */
    private boolean isOfOtherSetting(int i) {
        boolean known = text.is(i, "CURRENT_SETTING") || text.is(i, "SET_CONFIG");
        String setting = known ? text.settingName(i + 2) : null;
        return setting != null && !setting.equalsIgnoreCase("search_path");
    }

    /** A literal that an administrative function is given may be a name. */
    private boolean dependsOnPath(int i) {
        boolean literal = i + 2 < text.size()
                && text.kind(i + 2) == SqlToken.Kind.LITERAL
                && !SqlNumbers.startsAt(text.sql(), text.start(i + 2));
        return (literal && text.at(i).startsWith("PG_"))
                || LOOKS_UP.matcher(text.at(i)).matches();
    }

    /** Whether a name with a schema is that of a function whose search path is known: this library's, or the shard's. */
    boolean isOfShard(int i) {
        return isOurs(i) || SchemaPlaceholder.in(text, i) != null;
    }

    /** Whether a name with a schema is that of a function of this library. */
    boolean isOurs(int i) {
        boolean ofShard = text.is(i, SchemaPlaceholder.OF_SHARD.toUpperCase(Locale.ROOT));
        return text.is(i, "SHARDED_ID") || (ofShard && OURS.contains(text.at(i + 2)));
    }

    /** Whether a name that is not called depends on the path: a type, a collation, or what looks into a schema. */
    boolean isDependentName(int i) {
        if (DEPENDENT.contains(text.at(i)) || (text.is(i, "ROWS") && text.is(i + 1, "FROM"))) {
            return true;
        }
        if (isTypeOfJson(i)
                || text.is(i - 1, "::")
                || (text.is(i - 1, ":") && text.is(i - 2, ":"))
                || isTypeOfCast(i)) {
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
        int open = SqlNames.opening(text, i - 2);
        boolean ours = text.is(i, "REGCLASS") && text.is(i - 2, "?") && isOurs(open - 5);
        return (text.is(open - 1, "CAST") || text.is(open - 1, "XMLSERIALIZE")) && !ours;
    }

    /** {@code json_value(… RETURNING type)} and the like. */
    private boolean isTypeOfJson(int i) {
        return text.is(i - 1, "RETURNING")
                && text.at(SqlNames.opening(text, i - 2) - 1).startsWith("JSON");
    }

    /** Whether a function takes a sequence that a literal names, with the placeholder of a schema or without. */
    boolean takesSequence(int last, boolean qualified) {
        return WritingFunctions.isOfSequence(text, last)
                && last + 2 < text.size()
                && text.kind(last + 2) == SqlToken.Kind.LITERAL
                && (SchemaPlaceholder.in(text, last + 2) != null) == qualified;
    }
}
