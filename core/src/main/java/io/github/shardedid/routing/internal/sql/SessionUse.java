package io.github.shardedid.routing.internal.sql;

import java.sql.SQLFeatureNotSupportedException;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The use that a text makes of its session, as far as routing relies on it. What else stays in a session
 * behaves as with any pool. What functions, {@code DO} and {@code CALL} do inside is not seen.
 *
 * <p>Only what would send a row elsewhere is refused: a search path or a role that outlives the statement would
 * change what the names of the next caller mean.
 */
public enum SessionUse {
    /** Nothing that routing relies on. */
    NONE("", ""),

    /** It changes what names mean, who asks, or how texts are read. */
    ROUTED(
            "Which schemas are searched, which role asks, and how texts are read belongs to the routing",
            "name the shard with ShardContext.run(shard, ...), and a table of no shard with its schema"),

    /** It changes the kind of the transaction, on one database only. */
    TRANSACTION(
            "A transaction spans databases here, and is the same kind on all of them",
            "use setTransactionIsolation and setReadOnly of the connection, or @Transactional(isolation = ..., readOnly ="
                    + " ...)"),

    /** It makes a table that hides those of shards from all who have the session later. */
    TEMPORARY(
            "A temporary table, view or sequence that outlives the transaction hides the shards' own from others who get the"
                    + " session from the pool afterwards",
            "create it ON COMMIT DROP, in a transaction");

    /** The words of a temporary table. */
    private static final Set<String> TEMPORARY_WORDS = Set.of("TEMP", "TEMPORARY");
    /** The words behind which they mean that. */
    private static final Set<String> BEFORE_TEMPORARY = Set.of("CREATE", "REPLACE", "LOCAL", "GLOBAL", "INTO");
    /** The settings that change the kind of a transaction. */
    private static final Set<String> OF_TRANSACTIONS = SqlKeywords.words(
            """
            transaction transaction_isolation transaction_read_only transaction_deferrable default_transaction_isolation
            default_transaction_read_only default_transaction_deferrable
            """);
    /** The settings that change what names mean, which role asks, or how texts are read. */
    private static final Set<String> OF_ROUTING = SqlKeywords.words(
            """
            search_path schema role session_authorization session standard_conforming_strings backslash_quote
            """);

    private final String reason;
    private final String wayOut;

    SessionUse(String reason, String wayOut) {
        this.reason = reason;
        this.wayOut = wayOut;
    }

    /**
     * Returns what to throw for this use.
     *
     * @param sql the text, for the message
     */
    SQLFeatureNotSupportedException refusal(String sql) {
        return new SQLFeatureNotSupportedException(
                "Refused, and not sent, was " + SqlText.brief(sql) + ": " + reason + ". Instead " + wayOut
                        + ". For a session of your own, take connection.unwrap(PGConnection.class), which is kept"
                        + " until the transaction or the connection ends, and leaves it as it was.",
                "0A000");
    }

    /** Returns the first use that is worth a refusal. */
    static SessionUse of(SqlText text) {
        SessionUse found = NONE;
        boolean begins = true;
        for (int i = 0; i < text.size() && found == NONE; i++) {
            found = begins ? ofStatement(text, i) : ofWord(text, i);
            begins = text.is(i, ";") || (begins && text.is(i, "("));
        }
        return found;
    }

    /** Returns the use that a statement has by its first word. */
    private static SessionUse ofStatement(SqlText text, int i) {
        return switch (text.at(i)) {
            case "SET" -> ofSet(text, i + 1);
            case "RESET" -> ofSetting(nameAt(text, i + 1));
            default -> ofWord(text, i);
        };
    }

    /** Returns the use of what is behind SET. */
    private static SessionUse ofSet(SqlText text, int i) {
        boolean scope = text.is(i, "LOCAL") || (text.is(i, "SESSION") && !text.is(i + 1, "AUTHORIZATION"));
        return text.is(i + 1, "CHARACTERISTICS") ? TRANSACTION : ofSetting(nameAt(text, scope ? i + 1 : i));
    }

    private static String nameAt(SqlText text, int i) {
        return text.isName(i) ? text.folded(i) : "";
    }

    /**
     * Returns the use of a setting. PostgreSQL compares names of settings without regard to case, quoted ones,
     * too.
     */
    private static SessionUse ofSetting(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return OF_TRANSACTIONS.contains(lower) ? TRANSACTION : OF_ROUTING.contains(lower) ? ROUTED : NONE;
    }

    /** Returns the use that a call of {@code set_config} has, or a word that creates something temporary. */
    private static SessionUse ofWord(SqlText text, int i) {
        if (text.isName(i) && text.is(i + 1, "(") && text.folded(i).equals("set_config")) {
            String name = text.settingName(i + 2);
            return name == null ? NONE : ofSetting(name);
        }
        return createsTemporary(text, i) ? TEMPORARY : NONE;
    }

    /** Returns whether a word is the INTO of {@code SELECT … INTO}, which creates a table. */
    static boolean isSelectedInto(SqlText text, int into) {
        boolean existing = text.is(into - 1, "INSERT") || text.is(into - 1, "MERGE");
        return text.is(into, "INTO") && !existing;
    }

    /**
     * Returns whether something temporary that outlives the transaction is created: by {@code CREATE}, also
     * behind {@code EXPLAIN ANALYZE}, or by {@code SELECT … INTO}.
     */
    private static boolean createsTemporary(SqlText text, int start) {
        boolean into = isSelectedInto(text, start);
        int end = into ? Math.min(text.size(), start + 4) : text.is(start, "CREATE") ? text.size() : start;
        for (int i = start; i < end && !text.is(i, ";") && !text.is(i, "AS") && !text.is(i, "("); i++) {
            boolean word = TEMPORARY_WORDS.contains(text.at(i)) && BEFORE_TEMPORARY.contains(text.at(i - 1));
            if (word || (text.is(i + 1, ".") && text.folded(i).startsWith("pg_temp"))) {
                return !isDropped(text, i);
            }
        }
        return false;
    }

    /** Returns whether it is dropped with the transaction, so that no later caller meets it. */
    private static boolean isDropped(SqlText text, int from) {
        return IntStream.range(from, text.size())
                .takeWhile(i -> !text.is(i, ";"))
                .anyMatch(i -> text.is(i, "ON") && text.is(i + 1, "COMMIT") && text.is(i + 2, "DROP"));
    }
}
