package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.internal.session.SettingCode;
import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.internal.sql.TransactionSettings;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction sets for itself, such as {@code SET LOCAL app.tenant = 'x'}, in the order in which it was
 * set. For one thread at a time.
 *
 * <p>A transaction is one transaction, however many databases it reads: a tenant of policies that is set on one
 * database only would let the others return the rows of all tenants. So each setting must hold on each
 * connection of the transaction:
 *
 * <ol>
 *   <li>After each statement, {@link #ran} notes what the text sets, if the text says so by itself. It holds on
 *       the connection over which it was sent.
 *   <li>What no text says, as a function has set it, is only noted as unread.
 *   <li>Before the next statement of another connection, what is unread is asked for on the first one, and the
 *       other connection is given what it lacks, in the round trip of that statement where possible.
 *   <li>If what was set has no known name, the other connection is refused.
 * </ol>
 */
public final class LocalSettings {
    /**
     * The number of texts that are kept to find the functions that they may have called. Later texts are not
     * kept.
     */
    private static final int MOST_TEXTS = 100;

    /**
     * All settings in their order. A connection has those before its own {@link PhysicalConnection#localSettings}, so
     * that a number tells what it lacks.
     */
    private final List<Setting> made = new ArrayList<>(0);
    /** The settings to ask for before another connection is used; null if everything is known. */
    private @Nullable Unread unread;

    private record Setting(String name, String value) {}

    /**
     * The settings that were made over a connection by texts that do not say which.
     *
     * @param on the connection, the only one that knows
     * @param names of which the values are not known
     * @param texts those that may have called code, by themselves or by triggers
     * @param called whether some do so by themselves
     * @param computed a text that has set what it does not name; null if there is none
     */
    private record Unread(
            PhysicalConnection on, Set<String> names, Set<String> texts, boolean called, @Nullable String computed) {
        Unread and(Unread next) {
            return new Unread(
                    next.on,
                    both(names, next.names),
                    texts.size() < MOST_TEXTS ? both(texts, next.texts) : texts,
                    called || next.called,
                    computed == null ? next.computed : computed);
        }

        private static Set<String> both(Set<String> some, Set<String> others) {
            return Stream.concat(some.stream(), others.stream()).collect(Collectors.toSet());
        }
    }

    /** The state at a savepoint, to which a rollback returns. */
    record Mark(int size, @Nullable Unread unread) {}

    /** Returns whether nothing was set, as far as the texts say. */
    public boolean areNone() {
        return made.isEmpty();
    }

    /**
     * Notes that a statement of the transaction has run that sets something, or runs code that may do so.
     *
     * @param parameters returns the values of its parameters, as far as they are texts
     */
    public void ran(Route route, IntFunction<@Nullable String> parameters) {
        TransactionSettings settings = route.analysis().settings();
        if (settings == null && unread != null && unread.texts.contains(route.sql())) {
            return;
        }
        PhysicalConnection on = route.physical();
        List<TransactionSettings.Assigned> assigned = settings == null ? List.of() : settings.assigned();
        Set<String> names = new TreeSet<>(settings == null ? Set.of() : settings.names());
        boolean computed = settings != null && settings.computed();
        for (TransactionSettings.Assigned each : assigned) {
            String name = each.name(parameters);
            String value = each.value(parameters);
            if (name != null && value != null) {
                made.add(new Setting(name, value));
            } else if (name != null) {
                names.add(name);
            }
            computed |= name == null;
        }
        on.localSettings = made.size();
        if (!assigned.isEmpty() && !computed && names.isEmpty()) {
            return;
        }
        on.use(route.target()); // must not be given up
        PathAlignment path = on.pathAlignment();
        Set<String> texts = path.runsCode(route.analysis()) ? Set.of(route.sql()) : Set.of();
        Unread next = new Unread(on, names, texts, path.callsCode(route.analysis()), computed ? route.sql() : null);
        // If it was set over another connection than before, what was unread there has been read, since that has been
        // used.
        unread = unread == null ? next : unread.and(next);
    }

    /**
     * Returns a query that gives a connection what it lacks, null if it lacks nothing. What is not known is asked for
     * first, which takes one round trip.
     *
     * @throws SQLException if it cannot be asked for
     */
    @Nullable
    String lackedBy(PhysicalConnection physical) throws SQLException {
        read(physical);
        return physical.localSettings < made.size() ? "SELECT " + configuring(physical.localSettings) : null;
    }

    /** Notes that a connection has everything that was set so far. */
    void holdOn(PhysicalConnection physical) {
        physical.localSettings = made.size();
    }

    /** Returns all of it, as columns of a query for other connections; empty if there is nothing. */
    public String all() throws SQLException {
        read(null);
        return configuring(0);
    }

    /**
     * Returns the settings from a number on as calls of {@code set_config}. Of several values of one name, the
     * last one counts. The role comes last, as it may be allowed to set less than the one before.
     */
    private String configuring(int from) {
        Map<String, String> last = new LinkedHashMap<>();
        made.subList(from, made.size()).forEach(each -> last.put(each.name, each.value));
        String role = last.remove("role");
        if (role != null) {
            last.put("role", role);
        }
        StringJoiner columns = new StringJoiner(", ");
        last.forEach((name, value) ->
                columns.add("pg_catalog.set_config(" + literal(name) + ", " + literal(value) + ", true)"));
        return columns.toString();
    }

    private static String literal(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    Mark mark() {
        return new Mark(made.size(), unread);
    }

    /** Notes that what was set since a savepoint is undone. */
    void backTo(Mark mark) {
        made.subList(mark.size, made.size()).clear();
        unread = mark.unread;
    }

    /**
     * Asks for what is not known, unless it was set over the connection that is about to be used, which has it
     * anyway.
     *
     * @param used the connection that is about to be used; null for one outside of the transaction
     */
    @SuppressWarnings("ReferenceEquality") // a connection is itself only
    private void read(@Nullable PhysicalConnection used) throws SQLException {
        Unread asked = unread;
        if (asked == null || asked.on == used) {
            return;
        } else if (asked.computed != null) {
            throw unknown(asked.on, SqlText.brief(asked.computed));
        }
        boolean code = asked.called
                || (!asked.texts.isEmpty() && asked.on.session().settingCode.mayBeIn(asked.on.database()));
        if (code || !asked.names.isEmpty()) {
            ask(asked, code);
        }
        unread = null;
    }

    /**
     * Asks the connection that knows. It does not accept a query after a failed statement.
     *
     * @param code whether functions of the application may have set something
     */
    private void ask(Unread asked, boolean code) throws SQLException {
        PhysicalConnection on = asked.on;
        if (on.hasFailed()) {
            throw new SQLException(
                    "Nothing was sent to a further database: what this transaction has set on database " + on.database()
                            + " must hold there, too, but cannot be asked for, since a statement has failed: until it is rolled back,"
                            + " or a savepoint from before, no other is accepted.",
                    PhysicalConnections.IN_FAILED_TRANSACTION);
        }
        Set<String> names = new TreeSet<>(asked.names);
        made.forEach(each -> names.add(each.name));
        SettingCode.Answer[] answers = new SettingCode.Answer[1];
        SettingCode sessions = on.session().settingCode;
        on.attempt(
                connection -> answers[0] = sessions.ask(connection, on.database(), names, code ? asked.texts : null));
        SettingCode.Answer answer = answers[0];
        if (answer.computing() != null) {
            throw unknown(on, "a call of " + answer.computing());
        }
        answer.values().forEach((name, value) -> made.add(new Setting(name, value)));
        on.localSettings = made.size();
    }

    private static SQLFeatureNotSupportedException unknown(PhysicalConnection on, String what) {
        return new SQLFeatureNotSupportedException(
                "Nothing was sent to a further database: on database " + on.database()
                        + ", this transaction has set something"
                        + " of which the name is not known (" + what
                        + "), so that it cannot be set there, too. Read from the"
                        + " other database before, or name what is set: set_config('<name>', ..., true).",
                "0A000");
    }
}
