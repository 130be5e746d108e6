package io.github.shardedid.routing.internal.session;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Asks a session what its transaction has set, by names and by what functions may have set. Safe for use by
 * several threads.
 *
 * <p>Needed for {@code LocalSettings}: a setting made by a function must hold on the other databases of the
 * transaction, too, and no text says its name. It remembers for a minute which databases have no functions that
 * set anything, as then nothing has to be asked for after writes with triggers.
 */
public final class SettingCode {
    private static final long REMEMBERED = TimeUnit.MINUTES.toNanos(1);

    /** The condition on a setting that is copied: not routing's own, nor what a transaction begins with. */
    private static final String COPIED =
            " pg_catalog.current_setting(n, true) IS NOT NULL AND n OPERATOR(pg_catalog.!~)"
                    + " '^(search_path|seed|session_authorization|(default_)?transaction_.*)$'";

    private static final String NAMES = "pg_catalog.unnest(pg_catalog.string_to_array(?, ','))";

    private static final String NAMED =
            "SELECT 'value', n, pg_catalog.current_setting(n, true) FROM " + NAMES + " n WHERE" + COPIED;

    /**
     * What code may have set is each setting of PostgreSQL that the session has not been given by its
     * configuration, and each other one that some function of the database names. A function that computes
     * names counts if a text, or a trigger of a table that a text names, may have called it. 12 and 13 are the
     * languages {@code internal} and {@code c}.
     */
    private static final String OF_CODE =
            """
            WITH code AS MATERIALIZED (
              SELECT p.oid, p.proname, CASE WHEN p.prosqlbody IS NULL THEN p.prosrc
                ELSE pg_catalog.pg_get_function_sqlbody(p.oid) END AS body
              FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) p.pronamespace
              WHERE p.prolang OPERATOR(pg_catalog.<>) ALL ('{12,13}'::pg_catalog.oid[])
                AND n.nspname OPERATOR(pg_catalog.<>) ALL ('{pg_catalog,information_schema,sharded_id}'::pg_catalog.name[])
            ), setting AS MATERIALIZED (
              SELECT * FROM code WHERE body OPERATOR(pg_catalog.~*) 'set_config|set\\s+local'
            ), named AS MATERIALIZED (
              SELECT pg_catalog.replace(pg_catalog.lower(m[1]), '"', '') AS n FROM setting, pg_catalog.regexp_matches(body,
                '(?:set_config\\s*\\(\\s*''|set\\s+local\\s+)([a-z_"][\\w$"]*\\.[\\w$."]+)', 'gi') m
            ), called AS (
              SELECT pg_catalog.lower(?) AS text
            )
            SELECT 'value', n, pg_catalog.current_setting(n, true) FROM (
              SELECT n FROM %s n
              UNION SELECT s.name FROM pg_catalog.pg_settings s WHERE s.source OPERATOR(pg_catalog.=) 'session'
              UNION SELECT 'role'
              UNION SELECT n FROM named WHERE pg_catalog.current_setting(n, true) OPERATOR(pg_catalog.<>) '') names WHERE %s
            UNION ALL
            SELECT 'computing', s.oid::pg_catalog.regprocedure::pg_catalog.text, NULL FROM setting s, called
            WHERE s.body OPERATOR(pg_catalog.~*) 'set_config\\s*\\((?!\\s*''[^'']*''(::text)?\\s*,)|set\\s+local\\s+[^a-z_"\\s]' AND (
              pg_catalog.strpos(called.text, pg_catalog.lower(s.proname::pg_catalog.text)) OPERATOR(pg_catalog.>) 0
              OR EXISTS (SELECT FROM pg_catalog.pg_trigger t
                JOIN pg_catalog.pg_class c ON c.oid OPERATOR(pg_catalog.=) t.tgrelid
                WHERE t.tgfoid OPERATOR(pg_catalog.=) s.oid AND pg_catalog.strpos(called.text, pg_catalog.lower(c.relname::pg_catalog.text))
                  OPERATOR(pg_catalog.>) 0))
            UNION ALL
            SELECT 'any', NULL, NULL FROM setting"""
                    .formatted(NAMES, COPIED);

    /** The databases without such functions, each with the instant until which that is assumed. */
    private final Map<String, Long> none = new ConcurrentHashMap<>();

    SettingCode() {}

    /**
     * The answer of a session.
     *
     * @param values what is set, by name
     * @param computing a function that may have set something by another name; null if there is none
     */
    public record Answer(Map<String, String> values, @Nullable String computing) {}

    /** Returns whether triggers of a database may set something, as far as is known. */
    public boolean mayBeIn(String database) {
        Long until = none.get(database);
        return until == null || System.nanoTime() - until >= 0;
    }

    /**
     * Asks over a connection.
     *
     * @param texts those that may have called code, or null if none have
     */
    public Answer ask(Connection connection, String database, Set<String> names, @Nullable Set<String> texts)
            throws SQLException {
        Map<String, String> values = new LinkedHashMap<>();
        boolean any = false;
        String computing = null;
        try (PreparedStatement query = connection.prepareStatement(texts == null ? NAMED : OF_CODE)) {
            query.setString(texts == null ? 1 : 2, String.join(",", names));
            if (texts != null) {
                query.setString(1, String.join("\n", texts));
            }
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    switch (row.getString(1)) {
                        case "value" -> values.put(row.getString(2), row.getString(3));
                        case "computing" -> computing = row.getString(2);
                        default -> any = true;
                    }
                }
            }
        }
        if (texts != null && !any) {
            none.put(database, System.nanoTime() + REMEMBERED);
        }
        return new Answer(values, computing);
    }
}
