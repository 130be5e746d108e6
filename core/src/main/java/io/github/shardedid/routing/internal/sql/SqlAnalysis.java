package io.github.shardedid.routing.internal.sql;

import java.sql.SQLFeatureNotSupportedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What routing needs to know of a SQL text. Nothing of it changes, so it is made once per text and shared.
 *
 * @param segments the text between the placeholders of schemas; a single one if there is none
 * @param schemas whose placeholders they are
 * @param replicated the schema of replicated tables, which stands in the segments
 * @param names the names in it
 * @param verdict what follows from them, by what was known of them last; null before that
 * @param single whether it is one statement that reads or writes rows: nothing but such a one can have another one before it
 * @param defines whether it defines objects, or drops them
 * @param settings what it sets for its transaction; null for nothing, unless code that it calls does
 * @param callsCode whether it may call functions or procedures, which may set anything
 * @param session what it does with the session
 * @param writes whether it writes, or draws from a sequence
 * @param locks whether it locks rows
 * @param endsTransaction whether it is transaction control, which belongs to the methods of the connection
 * @param plain whether it is a query that does the same outside of a transaction as inside one that has done
 *     nothing yet, if all that it calls does
 * @param singleWrite whether it is one INSERT, UPDATE or DELETE that returns nothing
 * @param mayCommit whether in autocommit some of it may be committed although it fails in the end
 * @param locksGlobal whether it locks tables by the name of their schema, which is that of the replicated tables in all databases
 */
public record SqlAnalysis(
        List<String> segments,
        NamedSchemas schemas,
        String replicated,
        TextNames names,
        AtomicReference<KnownNames.@Nullable Verdict> verdict,
        boolean single,
        boolean defines,
        @Nullable TransactionSettings settings,
        boolean callsCode,
        SessionUse session,
        boolean writes,
        boolean locks,
        boolean endsTransaction,
        boolean plain,
        boolean singleWrite,
        boolean mayCommit,
        boolean locksGlobal) {
    /** The bytes of what is not text. */
    private static final int OBJECTS = 1_024;

    /**
     * Analyses a text.
     *
     * @throws io.github.shardedid.routing.UnsupportedStatementException if the driver and the server would read
     *     it differently
     */
    public static SqlAnalysis of(String sql) {
        return of(sql, SchemaPlaceholder.OF_REPLICATED);
    }

    /**
     * Analyses a text.
     *
     * @param replicated the schema of replicated tables, which is the same in all databases
     * @throws io.github.shardedid.routing.UnsupportedStatementException if the driver and the server would read
     *     it differently
     */
    public static SqlAnalysis of(String sql, String replicated) {
        SqlText text = new SqlText(sql);
        JdbcEscapes.check(text);
        List<String> segments = new ArrayList<>();
        NamedSchemas schemas = split(text, segments, replicated);
        TextScan scan = new TextScan(text);
        TextNames names = new TextNames(text);
        TransactionSettings settings = TransactionSettings.of(text);
        // A write, or a lock, has an effect in the global database only.
        boolean global = schemas == NamedSchemas.REPLICATED && (scan.writes || scan.locks);
        return new SqlAnalysis(
                List.copyOf(segments),
                global ? NamedSchemas.GLOBAL : schemas,
                replicated,
                names,
                new AtomicReference<>(),
                names.single,
                names.defining,
                settings.areNone() ? null : settings,
                settings.code(),
                SessionUse.of(text),
                scan.writes,
                scan.locks,
                scan.endsTransaction,
                scan.isPlainQuery(),
                scan.isSingleWrite(),
                scan.mayCommit,
                IntStream.range(0, text.size())
                        .anyMatch(i -> text.isName(i)
                                && text.is(i + 1, ".")
                                && text.folded(i).equals(replicated)
                                && (text.is(0, "LOCK") || SchemaPlaceholder.isLocked(text, i))));
    }

    /**
     * Refuses a text that would change a session for its next user.
     *
     * @param sql the text, for the message
     */
    public void requireNoSessionUse(String sql) throws SQLFeatureNotSupportedException {
        if (session != SessionUse.NONE) {
            throw session.refusal(sql);
        }
    }

    /** Returns what follows from the names in the text, by what is known of them now. Two threads may both compute it, and get the same. */
    public KnownNames.Verdict in(KnownNames known) {
        KnownNames.Verdict last = verdict.get();
        if (last == null || last.by() != known) {
            last = known.judge(names, writes);
            verdict.set(last);
        }
        return last;
    }

    /** Returns whether the text has the placeholder. */
    public boolean namesSchema() {
        return schemas != NamedSchemas.NONE;
    }

    /** Returns the text with a schema in the place of the placeholders. */
    public String inSchema(String schema) {
        return String.join(schema, segments);
    }

    /** Returns what it and its text take in memory, by a generous estimate; never above 2 GB. */
    public int bytes() {
        long characters = String.join(SchemaPlaceholder.OF_SHARD, segments).length();
        return (int) Math.min(Integer.MAX_VALUE, OBJECTS + 4 * characters + names.bytes());
    }

    /**
     * Cuts a text at its placeholders, and returns whose they are. That of replicated tables stands for one schema, and is replaced; a
     * replicated table that is written or locked counts as a global one.
     */
    private static NamedSchemas split(SqlText text, List<String> segments, String replicated) {
        String sql = text.sql();
        StringBuilder segment = new StringBuilder();
        NamedSchemas schemas = NamedSchemas.NONE;
        int from = 0;
        for (int i = 0; i < text.size(); i++) {
            SchemaPlaceholder found = SchemaPlaceholder.in(text, i);
            if (found != null) {
                segment.append(sql, from, found.start());
                from = found.end();
                if (found.schemas() == NamedSchemas.REPLICATED) {
                    segment.append(replicated);
                } else {
                    segments.add(segment.toString());
                    segment.setLength(0);
                }
                boolean written = found.schemas() == NamedSchemas.REPLICATED && SchemaPlaceholder.isWritten(text, i);
                schemas = schemas.and(written ? NamedSchemas.GLOBAL : found.schemas());
            }
        }
        segments.add(segment.append(sql, from, sql.length()).toString());
        return schemas;
    }
}
