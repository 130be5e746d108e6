package io.github.shardedid.routing.internal.sql;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a text sets for its transaction: by {@code SET LOCAL}, by {@code set_config}, or perhaps within code
 * that it calls. A transaction spans databases, so each of them has to be given what was set on the first one.
 *
 * <ol>
 *   <li>If the text does nothing but set literals or parameters, these are known, and no database has to be
 *       asked.
 *   <li>Otherwise only the names are known, and the values are asked for when another database is used.
 *   <li>If even a name is computed, another database cannot be used any more.
 * </ol>
 *
 * @param assigned what it sets, if it does nothing else; else empty
 * @param names of what it may set besides, whose values have to be asked for
 * @param computed whether it may set what has a name that is not known
 * @param code whether it may call functions or procedures, which may set anything
 */
public record TransactionSettings(List<Assigned> assigned, Set<String> names, boolean computed, boolean code) {
    static final TransactionSettings NONE = new TransactionSettings(List.of(), Set.of(), false, false);

    /**
     * Finds names of settings, also in the text of a block. The SET of an UPDATE is no setting, which the
     * question for its value shows.
     */
    private static final Pattern NAMED = Pattern.compile(
            "(?i)(?:set_config\\s*\\(\\s*'|set\\s+(?:local\\s+|session\\s+)?|reset\\s+)([a-z_][\\w$.\"]*)");

    /** Finds a setting whose name is computed. */
    private static final Pattern COMPUTED =
            Pattern.compile("(?i)set_config\\s*\\((?!\\s*'[^']*'\\s*,)|set\\s+local\\s+[^a-z_\"\\s]");
    /** The first words of statements that set something. */
    private static final Set<String> SETTING = Set.of("SET", "RESET", "DISCARD");
    /** The first words of statements that call no code of the application. */
    private static final Set<String> WITHOUT_CODE = Set.of("SET", "RESET", "DISCARD", "SHOW", "LOCK", "FETCH", "CLOSE");
    /** The words behind a setting that are no values. */
    private static final Set<String> KEYWORDS = Set.of("DEFAULT", "LOCAL");

    /**
     * A setting and its value, each a literal or a parameter.
     *
     * @param name null if it is a parameter
     * @param value null if it is a parameter
     */
    public record Assigned(@Nullable String name, int nameParameter, @Nullable String value, int parameter) {
        /**
         * Returns the name in lower case; null if it is a parameter that is no text. The parameters are
         * numbered from 1.
         */
        public @Nullable String name(IntFunction<@Nullable String> parameters) {
            String given = name == null ? parameters.apply(nameParameter) : name;
            return given == null ? null : given.toLowerCase(Locale.ROOT);
        }

        /** Returns the value; null if it is a parameter that is no text. */
        public @Nullable String value(IntFunction<@Nullable String> parameters) {
            return value == null ? parameters.apply(parameter) : value;
        }
    }

    /** Reads what a text sets. */
    static TransactionSettings of(SqlText text) {
        boolean sets = false;
        boolean several = false;
        for (int i = 0; i < text.size(); i++) {
            boolean begins = i == 0 || text.is(i - 1, ";");
            several |= begins && i > 0;
            sets |= (begins && SETTING.contains(text.at(i)))
                    || (text.isName(i) && text.folded(i).equals("set_config"));
        }
        boolean code = several || !WITHOUT_CODE.contains(text.at(0));
        boolean block = text.is(0, "DO");
        if (!sets && !block) {
            return new TransactionSettings(List.of(), Set.of(), false, code);
        } else if (text.is(0, "SET") && text.is(1, "CONSTRAINTS")) {
            return NONE; // of the tables that it writes to, which are in one database
        }
        List<Assigned> assigned = several || block ? null : text.is(0, "SET") ? ofSet(text) : ofSelect(text);
        return assigned == null ? inDoubt(text.sql(), code) : new TransactionSettings(assigned, Set.of(), false, false);
    }

    /** Returns whether it sets nothing, unless by code. */
    boolean areNone() {
        return assigned.isEmpty() && names.isEmpty() && !computed;
    }

    /** Returns whether the text does nothing else. */
    public boolean areAll() {
        return !assigned.isEmpty();
    }

    /** Returns the names in a text that does more than setting. Some settings have another name in SQL. */
    private static TransactionSettings inDoubt(String sql, boolean code) {
        Set<String> names = new HashSet<>();
        for (Matcher found = NAMED.matcher(sql); found.find(); ) {
            String name = found.group(1).replace("\"", "").toLowerCase(Locale.ROOT);
            names.add(name.equals("time") ? "timezone" : name.equals("xml") ? "xmloption" : name);
        }
        return new TransactionSettings(
                List.of(), Set.copyOf(names), COMPUTED.matcher(sql).find(), code);
    }

    /** Returns what {@code SET name TO value} sets; null if it is not of that simple form. */
    private static @Nullable List<Assigned> ofSet(SqlText text) {
        int i = text.is(1, "LOCAL") || text.is(1, "SESSION") ? 2 : 1;
        StringBuilder name = new StringBuilder();
        while (text.isName(i) && (text.is(i + 1, ".") || text.is(i + 1, "=") || text.is(i + 1, "TO"))) {
            name.append(text.folded(i)).append(text.is(i + 1, ".") ? "." : "");
            i += 2;
        }
        String value = i == text.size() - 1 ? value(text, i) : null;
        return value == null || name.isEmpty() ? null : List.of(new Assigned(name.toString(), 0, value, 0));
    }

    /** Returns a value behind SET; null if it is not known. */
    private static @Nullable String value(SqlText text, int i) {
        return !text.isWord(i) ? literal(text, i) : KEYWORDS.contains(text.at(i)) ? null : text.folded(i);
    }

    /** Returns the value of a literal that is written as it is read. */
    private static @Nullable String literal(SqlText text, int i) {
        if (!text.isLiteral(i)) {
            return null;
        }
        String raw = text.raw(i);
        if (!text.isString(i)) {
            return raw;
        }
        String inner = raw.startsWith("'") && raw.length() > 1 ? raw.substring(1, raw.length() - 1) : "'";
        return inner.replace("''", "").contains("'") ? null : inner.replace("''", "'");
    }

    /** {@code SELECT set_config('name', 'value', true), …} and nothing else; null if it is not that. */
    private static @Nullable List<Assigned> ofSelect(SqlText text) {
        List<Assigned> assigned = new ArrayList<>();
        int parameters = 0;
        int i = 0;
        while (text.is(i, assigned.isEmpty() ? "SELECT" : ",")) {
            i += text.is(i + 1, "PG_CATALOG") && text.is(i + 2, ".") ? 3 : 1;
            boolean call =
                    text.is(i, "SET_CONFIG") && text.is(i + 1, "(") && text.is(i + 3, ",") && text.is(i + 5, ",");
            String name = literal(text, i + 2);
            String value = literal(text, i + 4);
            boolean ends = (text.is(i + 6, "TRUE") || text.is(i + 6, "FALSE")) && text.is(i + 7, ")");
            if (!call || !ends || (name == null && !text.is(i + 2, "?")) || (value == null && !text.is(i + 4, "?"))) {
                return null;
            }
            assigned.add(new Assigned(name, name == null ? ++parameters : 0, value, value == null ? ++parameters : 0));
            i += 8;
            if (text.is(i, "AS") || text.isName(i)) {
                i += text.is(i, "AS") ? 2 : 1;
            }
        }
        return i == text.size() ? List.copyOf(assigned) : null;
    }
}
