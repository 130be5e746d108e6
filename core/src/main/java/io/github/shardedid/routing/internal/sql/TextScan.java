package io.github.shardedid.routing.internal.sql;

import java.util.Set;
import java.util.stream.IntStream;

/**
 * What a SQL text does, as far as is known without its database. In doubt it writes: a false alarm is an error
 * message, a missed write could be a torn transaction. Each statement of the text is judged by its first word;
 * of a query, each word is looked at, since it may have a WITH that writes, a function that does, a lock, or an
 * INTO.
 */
final class TextScan {
    /** The first words of queries. */
    private static final Set<String> QUERIES = Set.of("SELECT", "WITH", "VALUES", "TABLE", "DECLARE");
    /** The first words of statements that write nothing. */
    private static final Set<String> HARMLESS =
            SqlKeywords.words("SHOW SET RESET DISCARD FETCH MOVE CLOSE LISTEN UNLISTEN DEALLOCATE PREPARE LOAD");
    /** The first words of statements that fail as a whole, beside queries and {@link #HARMLESS}. */
    private static final Set<String> ATOMIC = Set.of("INSERT", "UPDATE", "DELETE", "MERGE", "TRUNCATE", "LOCK", "COPY");

    private static final Set<String> TRANSACTION_CONTROL =
            Set.of("BEGIN", "START", "COMMIT", "END", "ROLLBACK", "ABORT", "SAVEPOINT", "RELEASE");
    private static final Set<String> PLAIN = Set.of("SELECT", "WITH", "VALUES", "TABLE");

    /** PostgreSQL's functions and ours whose first argument is a sequence that they advance. */
    private static final Set<String> ADVANCING =
            Set.of("NEXTVAL", "SETVAL", "NEXT_ID", "NEXT_IDS", "NEXT_IDS_AFTER", "NEXT_ID_BLOCK");

    /** Functions of ours whose first argument is the name of a table with claims. */
    private static final Set<String> CLAIMING =
            Set.of("CLAIMANT_TRANSACTION", "CLAIM_UNIQUE", "TAKE_CLAIM", "HAS_CLAIMANT_ENDED");

    private static final Set<String> READING_SEQUENCES = Set.of("CURRVAL", "PG_SEQUENCE_LAST_VALUE");

    /** The functions that write by themselves: those of large objects, and notifications. */
    private static final Set<String> WRITING = SqlKeywords.words(
            """
            PG_NOTIFY PG_LOGICAL_EMIT_MESSAGE LO_CREAT LO_CREATE LO_FROM_BYTEA LO_IMPORT LO_PUT LO_TRUNCATE
            LO_TRUNCATE64 LO_UNLINK LOWRITE
            """);

    private final SqlText text;
    /** True if it writes, or draws from a sequence. */
    boolean writes;
    /** True if it locks rows. */
    boolean locks;
    /** True if it is transaction control, which belongs to the methods of the connection. */
    boolean endsTransaction;
    /** True if in autocommit some of it may be committed although it fails in the end. */
    boolean mayCommit;

    /** Reads a text. */
    TextScan(SqlText text) {
        this.text = text;
        run();
    }

    /**
     * Returns whether the text is a single query that does the same outside of a transaction as inside one that has done nothing
     * yet, but for what it calls, which {@link KnownNames} tells. In doubt it is not, which costs a round trip.
     */
    boolean isPlainQuery() {
        int start = text.behindOpening(0);
        // The driver writes functions for {fn now()}.
        return !writes
                && !locks
                && !endsTransaction
                && PLAIN.contains(text.at(start))
                && IntStream.range(start, text.size())
                        .noneMatch(i -> CurrentTimes.isAt(text, i)
                                || text.is(i, "{")
                                || (text.is(i, ";") && i + 1 < text.size()));
    }

    /**
     * Returns whether the text is one INSERT, UPDATE or DELETE that returns nothing, to which a RETURNING can be
     * added.
     */
    boolean isSingleWrite() {
        return (text.is(0, "INSERT") || text.is(0, "UPDATE") || text.is(0, "DELETE"))
                && IntStream.range(0, text.size())
                        .noneMatch(i -> text.is(i, ";") || text.is(i, "RETURNING") || text.is(i, "{"));
    }

    /** Returns whether a token is the name of a function that writes; names in quotes, too. */
    private static boolean isWriting(SqlText text, int i) {
        String name = text.isName(i) ? SqlText.upper(text.folded(i)) : "";
        return ADVANCING.contains(name) || CLAIMING.contains(name) || WRITING.contains(name);
    }

    /** Returns whether a token is the name of a function whose first argument names a sequence, or a table with claims. */
    static boolean takesRelation(SqlText text, int i) {
        String name = text.isName(i) ? SqlText.upper(text.folded(i)) : "";
        return ADVANCING.contains(name) || CLAIMING.contains(name) || READING_SEQUENCES.contains(name);
    }

    private void run() {
        int start = 0;
        while (start < text.size()) {
            int end = statementEnd(start);
            statement(start, end);
            start = end + 1;
        }
    }

    /**
     * Returns the end of a statement: the semicolons of a function's {@code BEGIN ATOMIC … END} end no
     * statement.
     */
    private int statementEnd(int start) {
        int end = start;
        boolean body = false;
        while (end < text.size() && (body || !text.is(end, ";"))) {
            body |= text.is(start, "CREATE") && text.is(end, "BEGIN") && text.is(end + 1, "ATOMIC");
            end++;
        }
        return end;
    }

    /** Judges a statement by its first word. One that is not known writes. */
    private void statement(int from, int end) {
        int start = text.behindOpening(from);
        if (start >= end) {
            return;
        }
        String keyword = text.at(start);
        endsTransaction |= TRANSACTION_CONTROL.contains(keyword) || isPreparedTransaction(start);
        if (keyword.equals("EXPLAIN")) {
            explained(start + 1, end);
        } else if (QUERIES.contains(keyword)) {
            query(start, end);
        } else {
            boolean runsTriggers = keyword.equals("SET") && text.is(start + 1, "CONSTRAINTS");
            writes |= (!HARMLESS.contains(keyword) || runsTriggers) && !endsTransaction;
            mayCommit |= !HARMLESS.contains(keyword) && !ATOMIC.contains(keyword);
        }
    }

    /** {@code PREPARE TRANSACTION 'x'}; without the literal it is the name of a prepared statement. */
    private boolean isPreparedTransaction(int start) {
        return text.is(start, "PREPARE") && text.is(start + 1, "TRANSACTION") && text.isLiteral(start + 2);
    }

    /** Judges what EXPLAIN explains, if it is executed: {@code EXPLAIN ANALYZE} runs it. */
    private void explained(int from, int end) {
        boolean options = text.is(from, "(") && !QUERIES.contains(text.at(text.behindOpening(from)));
        int start = options ? text.closing(from) + 1 : from;
        while (text.at(start).startsWith("ANALY") || text.is(start, "VERBOSE")) {
            start++;
        }
        if (IntStream.range(from, start).anyMatch(i -> text.at(i).startsWith("ANALY") || text.isQuoted(i))) {
            statement(start, end);
        }
    }

    private void query(int start, int end) {
        boolean with = IntStream.range(start, end).anyMatch(i -> text.is(i, "WITH"));
        for (int i = start; i < end; i++) {
            if (text.isName(i)) {
                // x.f means f(x) where x has no column f.
                boolean calls = text.is(i + 1, "(") || text.is(i - 1, ".");
                writes |= calls && isWriting(text, i);
                if (!isLabel(i)) {
                    writes |= modifies(i, with);
                    locks |= text.is(i, "FOR") && isLock(i + 1);
                }
            }
        }
    }

    /**
     * Returns whether a word is a name in spite of what it means elsewhere: an alias behind AS, or behind a
     * dot.
     */
    private boolean isLabel(int i) {
        return text.is(i - 1, ".") || (text.is(i - 1, "AS") && !isLabel(i - 1));
    }

    /**
     * {@code SELECT INTO}, and INSERT, UPDATE, DELETE and MERGE within or behind a WITH. A column of that
     * name may be taken for one.
     */
    private boolean modifies(int i, boolean with) {
        return switch (text.at(i)) {
            case "INTO" -> true;
            case "DELETE" -> with && text.is(i + 1, "FROM");
            case "UPDATE" -> with && !endsLock(i) && text.isName(i + 1) && !text.is(i + 1, "FROM");
            default -> false;
        };
    }

    /** {@code FOR UPDATE} or {@code FOR NO KEY UPDATE}; a column of SEARCH or CYCLE may be named key or no. */
    private boolean endsLock(int update) {
        boolean key = text.is(update - 1, "KEY") && text.is(update - 2, "NO");
        return text.is(key ? update - 3 : update - 1, "FOR");
    }

    /** Returns whether the words behind FOR are a lock of rows. */
    private boolean isLock(int i) {
        int strength = text.is(i, "NO") ? i + 2 : text.is(i, "KEY") ? i + 1 : i;
        return text.is(strength, "UPDATE") || text.is(strength, "SHARE");
    }
}
