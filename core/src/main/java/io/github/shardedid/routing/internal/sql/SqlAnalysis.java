package io.github.shardedid.routing.internal.sql;

import java.util.ArrayList;
import java.util.List;

/**
 * What routing needs to know of a SQL text. Nothing of it changes, so it is made once per text and shared.
 *
 * @param segments the text between the placeholders of schemas; a single one if there is none
 * @param schemas whose placeholders they are
 * @param names the names in it
 * @param traits what the text does
 * @param settings what it sets for its transaction
 */
public record SqlAnalysis(
        List<String> segments, NamedSchemas schemas, TextNames names, SqlTraits traits, TransactionSettings settings) {
    /** The bytes of what is not text. */
    private static final int OBJECTS = 1_024;

    /**
     * Analyses a text.
     *
     * @throws io.github.shardedid.routing.UnreadableStatementException if the driver and the server would read
     *     it differently
     */
    public static SqlAnalysis of(String sql) {
        SqlText text = new SqlText(sql);
        JdbcEscapes.check(text);
        List<String> segments = new ArrayList<>();
        NamedSchemas schemas = split(text, segments);
        return new SqlAnalysis(
                List.copyOf(segments), schemas, new TextNames(text), SqlTraits.of(text), TransactionSettings.of(text));
    }

    /** Returns what follows from the names in the text, by what is known of them now. */
    public KnownNames.Verdict in(KnownNames known) {
        return names.in(known, traits.writes());
    }

    /** Returns whether the text has the placeholder. */
    public boolean namesSchema() {
        return segments.size() > 1;
    }

    /** Returns the text with a schema in the place of the placeholders. */
    public String inSchema(String schema) {
        return namesSchema() ? String.join(schema, segments) : segments.get(0);
    }

    /** Returns what it and its text take in memory, by a generous estimate; never above 2 GB. */
    public int bytes() {
        long characters = String.join(SchemaPlaceholder.OF_SHARD, segments).length();
        return (int) Math.min(Integer.MAX_VALUE, OBJECTS + 4 * characters + names.bytes());
    }

    /** Cuts a text at its placeholders, and returns whose they are. */
    private static NamedSchemas split(SqlText text, List<String> segments) {
        String sql = text.sql();
        NamedSchemas schemas = NamedSchemas.NONE;
        int from = 0;
        for (int i = 0; i < text.size(); i++) {
            SchemaPlaceholder found = SchemaPlaceholder.in(text, i);
            if (found != null) {
                segments.add(sql.substring(from, found.start()));
                from = found.end();
                schemas = schemas.and(found.global() ? NamedSchemas.GLOBAL : NamedSchemas.SHARD);
            }
        }
        segments.add(sql.substring(from));
        return schemas;
    }
}
