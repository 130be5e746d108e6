package io.github.shardedid.routing.internal.session;

import io.github.shardedid.routing.internal.sql.SqlFile;
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
            SqlFile.read(SettingCode.class, "set_in_transaction.sql").formatted(NAMES, COPIED);

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
