package io.github.shardedid.routing.internal.sql.grammar;

import io.github.shardedid.routing.internal.sql.SchemaPlaceholder;

/**
 * A table as a query names it. Immutable.
 *
 * @param name its name, as PostgreSQL compares it
 * @param schema its schema, or the placeholder of the shard's
 */
public record TableName(String schema, String name) {
    public boolean isSharded() {
        return schema.equals(SchemaPlaceholder.OF_SHARD);
    }

    /** Returns whether each database has the same rows of it. */
    public boolean isReplicated() {
        return SchemaPlaceholder.is(SchemaPlaceholder.OF_REPLICATED, schema);
    }

    /** Returns the table that is meant in a shard's schema. */
    public TableName in(String shardSchema) {
        return isSharded() ? new TableName(shardSchema, name) : this;
    }

    /** Returns the name as SQL has it. */
    public String sql() {
        return quoted(schema) + "." + quoted(name);
    }

    /** Returns a name in quotes. */
    public static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
