package io.github.shardedid.routing.internal.sql;

import java.util.Set;

/**
 * PostgreSQL's key words, as far as they decide what a word without quotes can be. A word that were missing
 * here would be read as a name.
 */
public final class SqlKeywords {
    /** The words that are neither the name of a column nor an alias of a table. */
    private static final Set<String> RESERVED = words(
            """
            ALL ANALYSE ANALYZE AND ANY ARRAY AS ASC ASYMMETRIC BOTH CASE CAST CHECK COLLATE COLUMN CONSTRAINT CREATE
            CURRENT_CATALOG CURRENT_DATE CURRENT_ROLE CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER DEFAULT DEFERRABLE DESC
            DISTINCT DO ELSE END EXCEPT FALSE FETCH FOR FOREIGN FROM GRANT GROUP HAVING IN INITIALLY INTERSECT INTO LATERAL
            LEADING LIMIT LOCALTIME LOCALTIMESTAMP NOT NULL OFFSET ON ONLY OR ORDER PLACING PRIMARY REFERENCES RETURNING
            SELECT SESSION_USER SOME SYMMETRIC SYSTEM_USER TABLE THEN TO TRAILING TRUE UNION UNIQUE USER USING VARIADIC WHEN
            WHERE WINDOW WITH
            """);

    /** The words that are names of functions and types at most. */
    private static final Set<String> FUNCTIONS_ONLY = words(
            """
            AUTHORIZATION BINARY CONCURRENTLY CROSS CURRENT_SCHEMA FREEZE FULL ILIKE INNER IS ISNULL JOIN LEFT LIKE NATURAL
            NOTNULL OUTER OVERLAPS RIGHT SIMILAR TABLESAMPLE VERBOSE
            """);

    /** The words that cannot be a column's alias without AS. */
    private static final Set<String> NO_BARE_LABELS = words(
            """
            ARRAY AS CHAR CHARACTER CREATE DAY EXCEPT FETCH FILTER FOR FROM GRANT GROUP HAVING HOUR INTERSECT INTO ISNULL
            LIMIT MINUTE MONTH NOTNULL OFFSET ON ORDER OVER OVERLAPS PRECISION RETURNING SECOND TO UNION VARYING WHERE
            WINDOW WITH WITHIN WITHOUT YEAR
            """);

    /** The words that are values, without parentheses. */
    private static final Set<String> VALUES = words(
            """
            TRUE FALSE NULL CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP LOCALTIME LOCALTIMESTAMP CURRENT_USER SESSION_USER
            USER CURRENT_ROLE CURRENT_CATALOG CURRENT_SCHEMA
            """);

    private SqlKeywords() {}

    /** Returns the words of a text. */
    public static Set<String> words(String text) {
        return Set.of(text.strip().split("\\s+"));
    }

    /** Returns whether a token can be the name of a column or an alias of a table. */
    public static boolean isColumnName(SqlText text, int i) {
        return isFunctionName(text, i) && !FUNCTIONS_ONLY.contains(text.at(i));
    }

    /** Returns whether a token can be the name of a function or a type. */
    public static boolean isFunctionName(SqlText text, int i) {
        return text.isName(i) && !RESERVED.contains(text.at(i));
    }

    /** Returns whether a token can be a column's alias without AS. */
    public static boolean isBareLabel(SqlText text, int i) {
        return text.isName(i) && !NO_BARE_LABELS.contains(text.at(i));
    }

    /** Returns whether a token is a value. */
    public static boolean isValue(SqlText text, int i) {
        return VALUES.contains(text.at(i));
    }
}
