package io.github.shardedid.routing.internal;

import java.util.ArrayList;
import java.util.List;

/**
 * What routing needs to know of a SQL text. Immutable, so it is made once per text and shared.
 *
 * @param segments the text between the placeholders of schemas; a single one if there is no placeholder
 * @param schemas whose placeholders they are
 * @param needsSearchPath whether unqualified names must be made to mean the shard's tables
 * @param traits what the text does
 */
record SqlAnalysis(List<String> segments, NamedSchemas schemas, boolean needsSearchPath, SqlTraits traits) {
    static SqlAnalysis of(String sql) {
        SqlText text = new SqlText(sql);
        List<String> segments = new ArrayList<>();
        NamedSchemas schemas = split(text, segments);
        boolean needsSearchPath = segments.size() == 1 || RelationNames.anyUnqualified(text);
        return new SqlAnalysis(List.copyOf(segments), schemas, needsSearchPath, SqlTraits.of(text));
    }

    /** Whether the text has the placeholder. */
    boolean namesSchema() {
        return segments.size() > 1;
    }

    /** The text with a schema in the place of the placeholders. */
    String inSchema(String schema) {
        String first = segments.get(0);
        if (segments.size() == 1) {
            return first;
        }
        StringBuilder sql = new StringBuilder(length(schema)).append(first);
        for (int i = 1; i < segments.size(); i++) {
            sql.append(schema).append(segments.get(i));
        }
        return sql.toString();
    }

    private int length(String schema) {
        int length = schema.length() * (segments.size() - 1);
        for (String segment : segments) {
            length += segment.length();
        }
        return length;
    }

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
