package io.github.shardedid.routing.internal.sql;

import io.github.shardedid.routing.internal.sql.lexer.SqlKeywords;
import io.github.shardedid.routing.internal.sql.lexer.SqlNames;
import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import io.github.shardedid.routing.internal.sql.lexer.SqlToken;
import java.util.Locale;
import java.util.Set;

/**
 * Finds what a text does with its session. Of a setting only such forms are let through as are known to end with the
 * transaction. What functions, {@code DO} and {@code CALL} do inside is not seen.
 */
final class SessionUses {
    private static final Set<String> OF_SESSIONS =
            Set.of("LISTEN", "UNLISTEN", "LOAD", "PREPARE", "EXECUTE", "DEALLOCATE");
    private static final Set<String> BEFORE_KIND =
            Set.of("TEMP", "TEMPORARY", "LOCAL", "GLOBAL", "OR", "REPLACE", "RECURSIVE");
    private static final Set<String> TEMPORARY = Set.of("TEMP", "TEMPORARY");
    private static final Set<String> REMEMBERING = Set.of("currval", "lastval");
    private static final Set<String> OF_TRANSACTIONS = SqlKeywords.words(
            """
            transaction_isolation transaction_read_only transaction_deferrable default_transaction_isolation
            default_transaction_read_only default_transaction_deferrable
            """);
    private static final Set<String> OF_ROUTING = SqlKeywords.words(
            """
            search_path schema role session_authorization session standard_conforming_strings backslash_quote
            """);

    private final SqlText text;
    private SessionUse found = SessionUse.NONE;

    private SessionUses(SqlText text) {
        this.text = text;
    }

    /** The first use that is worth a refusal. */
    static SessionUse of(SqlText text) {
        SessionUses uses = new SessionUses(text);
        boolean begins = true;
        boolean first = true;
        for (int i = 0; i < text.size() && uses.found == SessionUse.NONE; i++) {
            if (text.is(i, ";")) {
                begins = true;
                first = false;
            } else if (begins) {
                begins = text.is(i, "(");
                uses.found = uses.statement(i);
            }
            if (uses.found == SessionUse.NONE) {
                uses.found = uses.name(i, first);
            }
        }
        return uses.found;
    }

    private SessionUse statement(int i) {
        String keyword = text.at(i);
        if (OF_SESSIONS.contains(keyword)) {
            return isPreparedTransaction(text, i) ? SessionUse.NONE : SessionUse.OBJECT;
        }
        return switch (keyword) {
            case "SET" -> set(i + 1);
            case "RESET" -> setting(i + 1, SessionUse.SETTING);
            case "DISCARD" -> SessionUse.SETTING;
            case "DECLARE" -> holds(i) ? SessionUse.OBJECT : SessionUse.NONE;
            case "CREATE", "ALTER" -> makesTemporary(i) || executes(i) ? SessionUse.OBJECT : SessionUse.NONE;
            case "EXPLAIN" -> explained(i + 1);
            default -> SessionUse.NONE;
        };
    }

    /** {@code PREPARE TRANSACTION 'x'}; without the literal it is the name of a prepared statement. */
    static boolean isPreparedTransaction(SqlText text, int i) {
        return text.is(i, "PREPARE")
                && text.is(i + 1, "TRANSACTION")
                && i + 2 < text.size()
                && text.kind(i + 2) == SqlToken.Kind.LITERAL;
    }

    /** {@code CREATE TABLE … AS EXECUTE}, which runs a prepared statement. */
    private boolean executes(int start) {
        int i = start;
        while (i < text.size() && !text.is(i, ";") && !(text.is(i, "AS") && text.is(i + 1, "EXECUTE"))) {
            i++;
        }
        return text.is(i, "AS");
    }

    /** What is explained may be executed; options stand before it. */
    private SessionUse explained(int from) {
        for (int i = from; i < text.size() && !text.is(i, ";"); i++) {
            if (text.is(i, "CREATE") || text.is(i, "DECLARE") || text.is(i, "EXECUTE")) {
                return statement(i);
            }
        }
        return SessionUse.NONE;
    }

    private SessionUse set(int i) {
        if (text.is(i, "CONSTRAINTS")) {
            return SessionUse.NONE;
        }
        if (text.is(i, "LOCAL")) {
            boolean timeZone = text.is(i + 1, "TIME") && text.is(i + 2, "ZONE");
            return timeZone ? SessionUse.NONE : setting(i + 1, SessionUse.NONE);
        }
        boolean characteristics = text.is(i, "SESSION") && text.is(i + 1, "CHARACTERISTICS");
        boolean said = text.is(i, "SESSION") && !text.is(i + 1, "AUTHORIZATION");
        return characteristics ? SessionUse.TRANSACTION : setting(said ? i + 1 : i, SessionUse.SETTING);
    }

    /** What is meant by the name of a setting; {@code others} is for one that is nobody's in particular. */
    private SessionUse setting(int i, SessionUse others) {
        if (!text.isName(i)) {
            return SessionUse.SETTING;
        } else if (isEscaped(i)) {
            return SessionUse.UNREADABLE;
        }
        SessionUse named = setting(SqlNames.folded(text, i));
        boolean known = others != SessionUse.NONE || text.is(i + 1, "TO") || text.is(i + 1, "=") || text.is(i + 1, ".");
        return named != SessionUse.NONE ? named : known ? others : SessionUse.SETTING;
    }

    /** PostgreSQL compares names of settings without regard to case, quoted ones, too. */
    private static SessionUse setting(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        if (lower.equals("transaction") || OF_TRANSACTIONS.contains(lower)) {
            return SessionUse.TRANSACTION;
        }
        // random() goes on from the seed after the transaction.
        if (lower.equals("seed")) {
            return SessionUse.OBJECT;
        }
        return OF_ROUTING.contains(lower) ? SessionUse.ROUTED : SessionUse.NONE;
    }

    private boolean holds(int start) {
        for (int i = start; i < text.size() && !text.is(i, ";") && !text.is(i, "FOR"); i++) {
            if (text.is(i, "WITH") && text.is(i + 1, "HOLD")) {
                return true;
            }
        }
        return false;
    }

    /** A temporary table that goes with the transaction is none of the session's. */
    private boolean makesTemporary(int start) {
        boolean temporary = false;
        boolean kindSaid = false;
        boolean dropped = false;
        boolean defined = false;
        for (int i = start + 1; i < text.size() && !text.is(i, ";"); i++) {
            temporary |= !kindSaid && TEMPORARY.contains(text.at(i));
            temporary |= isTemporarySchema(i);
            kindSaid |= !BEFORE_KIND.contains(text.at(i));
            defined |= text.is(i, "AS") && SqlNames.opening(text, i) < start;
            dropped |= !defined && text.is(i, "ON") && text.is(i + 1, "COMMIT") && text.is(i + 2, "DROP");
        }
        return temporary && !dropped;
    }

    private boolean isTemporarySchema(int i) {
        return text.isName(i)
                && text.is(i + 1, ".")
                && SqlNames.folded(text, i).toLowerCase(Locale.ROOT).startsWith("pg_temp");
    }

    private SessionUse name(int i, boolean first) {
        if (!text.isName(i)) {
            return SessionUse.NONE;
        }
        if (text.is(i, "INTO") && !IntoClauses.belongsToStatement(text, i)) {
            return into(i + 1);
        } else if (text.is(i, "UPDATE")) {
            return updatesSettings(i + 1) ? SessionUse.SETTING : SessionUse.NONE;
        } else if (isEscaped(i) && (text.is(i + 1, "(") || text.is(i + 1, "UESCAPE"))) {
            return SessionUse.UNREADABLE;
        } else if (text.is(i + 1, "(")) {
            return call(i, first);
        }
        // x.f means f(x) where x has no column f.
        return text.is(i - 1, ".") ? ofCall(i, first) : SessionUse.NONE;
    }

    private SessionUse into(int from) {
        int i = text.is(from, "LOCAL") || text.is(from, "GLOBAL") ? from + 1 : from;
        boolean temporary = TEMPORARY.contains(text.at(i)) || isTemporarySchema(text.is(i, "TABLE") ? i + 1 : i);
        return temporary ? SessionUse.OBJECT : SessionUse.NONE;
    }

    /** The view's rule sets what is updated. It may stand behind ONLY, a schema and parentheses, and may have an alias. */
    private boolean updatesSettings(int from) {
        for (int i = from; i < text.size() && !text.is(i, "SET") && !text.is(i, ";"); i++) {
            if (text.isName(i) && (isEscaped(i) || SqlNames.folded(text, i).equals("pg_settings"))) {
                return true;
            }
        }
        return false;
    }

    private SessionUse call(int i, boolean first) {
        return SqlNames.folded(text, i).equals("set_config") ? configured(i + 1) : ofCall(i, first);
    }

    private SessionUse ofCall(int i, boolean first) {
        String name = SqlNames.folded(text, i);
        if (isAdvisoryLock(text, i)) {
            return name.contains("_xact_") ? SessionUse.NONE : SessionUse.LOCK;
        }
        if (name.equals("setseed")) {
            return SessionUse.OBJECT;
        }
        return first && REMEMBERING.contains(name) ? SessionUse.REMEMBERS : SessionUse.NONE;
    }

    /** Whether a token is the name of a function that takes or releases an advisory lock. */
    static boolean isAdvisoryLock(SqlText text, int i) {
        String name = text.isName(i) ? SqlNames.folded(text, i) : "";
        return name.startsWith("pg_advisory_") || name.startsWith("pg_try_advisory_");
    }

    /** {@code set_config('name', …, true)} is SET LOCAL; nothing else is known to be. */
    private SessionUse configured(int open) {
        int close = SqlNames.closing(text, open);
        String name = text.settingName(open + 1);
        if (name == null || !text.is(open + 2, ",")) {
            return SessionUse.SETTING;
        }
        SessionUse named = setting(name);
        boolean local = text.is(close - 1, "TRUE") && text.is(close - 2, ",");
        return named != SessionUse.NONE ? named : local ? SessionUse.NONE : SessionUse.SETTING;
    }

    /** {@code U&"…"}, as one token or as three. */
    private boolean isEscaped(int i) {
        String raw = text.raw(i);
        return raw.startsWith("U&")
                || raw.startsWith("u&")
                || (text.is(i, "U") && text.is(i + 1, "&"))
                || (raw.startsWith("\"") && text.is(i - 1, "&") && text.is(i - 2, "U"));
    }
}
