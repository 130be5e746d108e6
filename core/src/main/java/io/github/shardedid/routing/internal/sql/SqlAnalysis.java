package io.github.shardedid.routing.internal.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What routing needs to know of a SQL text. Nothing of it changes, so it is made once per text and shared.
 *
 * @param segments the text between the placeholders of schemas; a single one if there is none
 * @param schemas whose placeholders they are
 * @param replicated the schema of replicated tables, which stands in the segments
 * @param names the names in it
 * @param traits what the text does
 * @param settings what it sets for its transaction
 * @param locksGlobal whether it locks tables by the name of their schema, which is that of the replicated tables in all databases
 */
public record SqlAnalysis(
        List<String> segments,
        NamedSchemas schemas,
        String replicated,
        TextNames names,
        SqlTraits traits,
        TransactionSettings settings,
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
        SqlTraits traits = SqlTraits.of(text);
        // A write, or a lock, has an effect in the global database only.
        boolean global = schemas == NamedSchemas.REPLICATED && (traits.writes() || traits.locks());
        return new SqlAnalysis(
                List.copyOf(segments),
                global ? NamedSchemas.GLOBAL : schemas,
                replicated,
                new TextNames(text),
                traits,
                TransactionSettings.of(text),
                IntStream.range(0, text.size())
                        .anyMatch(i -> text.isName(i)
                                && text.folded(i).equals(replicated)
                                && (text.is(0, "LOCK") || SchemaPlaceholder.isLocked(text, i))));
    }

    /** Returns what follows from the names in the text, by what is known of them now. */
    public KnownNames.Verdict in(KnownNames known) {
        return names.in(known, traits.writes());
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
