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
 * What a transaction sets for itself, such as {@code SET LOCAL app.tenant = 'x'}, in the order in which it was set. It holds on the connection
 * over which it was sent; each other one is given what it lacks before its next statement. What no text tells is asked for when another
 * connection is about to be used. For one thread at a time.
 */
public final class LocalSettings {
    private static final int MOST_TEXTS = 100;

    private final List<Setting> made = new ArrayList<>(0);
    private @Nullable Unread unread;

    private record Setting(String name, String value) {}

    /**
     * What was set over a connection by texts that do not tell it.
     *
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

    /** What was set before a savepoint. */
    record Mark(int size, @Nullable Unread unread) {}

    /** Whether nothing was set, as far as is known. */
    public boolean areNone() {
        return made.isEmpty();
    }

    /**
     * A statement of the transaction has run.
     *
     * @param parameters the values of its parameters, as far as they are texts
     */
    public void ran(Route route, IntFunction<@Nullable String> parameters) {
        TransactionSettings settings = route.analysis().settings();
        boolean calls = settings.code() && !route.physical().pathAlignment().isHarmless(route.analysis());
        boolean runs = calls || route.physical().pathAlignment().runsTriggers(route.analysis());
        if (settings.areNone() && (!runs || (unread != null && unread.texts.contains(route.sql())))) {
            return;
        }
        PhysicalConnection on = route.physical();
        Set<String> names = new TreeSet<>(settings.names());
        boolean computed = settings.computed();
        for (TransactionSettings.Assigned each : settings.assigned()) {
            String name = each.name(parameters);
            String value = each.value(parameters);
            if (name != null && value != null) {
                made.add(new Setting(name, value));
            } else if (name != null) {
                names.add(name);
            }
            computed |= name == null;
        }
        on.use().settings = made.size();
        if (!settings.assigned().isEmpty() && !computed && names.isEmpty()) {
            return;
        }
        on.use().add(route.target()); // must not be given up
        Set<String> texts = runs ? Set.of(route.sql()) : Set.of();
        add(new Unread(on, names, texts, calls, computed ? route.sql() : null));
    }

    /** Of another connection, everything has been read by now. */
    private void add(Unread next) {
        unread = unread == null ? next : unread.and(next);
    }

    /** Whether a connection lacks something. What is not known is asked for. */
    boolean areLackedBy(PhysicalConnection physical) throws SQLException {
        read(physical);
        return physical.use().settings < made.size();
    }

    /** What a connection lacks, as columns of a query. */
    String lackedBy(PhysicalConnection physical) {
        return configuring(physical.use().settings);
    }

    void holdOn(PhysicalConnection physical) {
        physical.use().settings = made.size();
    }

    /** All of it, as columns of a query; empty if there is nothing. */
    public String all() throws SQLException {
        read(null);
        return configuring(0);
    }

    private String configuring(int from) {
        Map<String, String> last = new LinkedHashMap<>();
        made.subList(from, made.size()).forEach(each -> last.put(each.name, each.value));
        String role = last.remove("role");
        if (role != null) {
            last.put("role", role); // which may set less
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

    /** What was set since is undone. */
    void backTo(Mark mark) {
        made.subList(mark.size, made.size()).clear();
        unread = mark.unread;
    }

    /** The transaction has ended. */
    void clear() {
        made.clear();
        unread = null;
    }

    /** Asks for what is not known, unless it was set over the connection that is about to be used. */
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

    private void ask(Unread asked, boolean code) throws SQLException {
        PhysicalConnection on = asked.on;
        if (on.hasFailed()) {
            throw NonTransactionalReads.failedBefore(on.database());
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
        on.use().settings = made.size();
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
