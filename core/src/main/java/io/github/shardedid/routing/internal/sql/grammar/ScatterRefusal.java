package io.github.shardedid.routing.internal.sql.grammar;

import io.github.shardedid.routing.UnsupportedStatementException;
import io.github.shardedid.routing.internal.sql.SqlText;

/** Writes the message of a refusal: what is refused, in which statement, and what to do instead. */
public final class ScatterRefusal {
    /** A way out of most refusals. */
    public static final String PER_SHARD =
            "if each shard is meant by itself, say so: @AllShards(perShard = true), ShardSet.perShard().";

    private ScatterRefusal() {}

    /**
     * Returns a refusal.
     *
     * @param what the form that is refused, as the subject of a sentence
     * @param instead what to do, as sentences
     */
    public static UnsupportedStatementException of(String what, SqlText text, String instead) {
        return new UnsupportedStatementException(what + " cannot go to several shards at once: "
                + SqlText.brief(text.sql()) + ". " + instead + " Nothing was sent.");
    }

    /** Returns the refusal of a query with a table without a schema. */
    public static UnsupportedStatementException withoutSchema(SqlText text) {
        return of(
                "A query that names a table without the shard's schema",
                text,
                "Write {h-schema}table in a native query, or sharded_id_shard.table in JDBC, for every table.");
    }
}
