package io.github.shardedid.topology;

import java.util.regex.Pattern;

/**
 * The database and schema of the global entities, which are not sharded. The database may also own shards.
 *
 * @param database the name of a database of the cluster
 * @param schema the schema in it, which contains nothing else; never needs quotes
 */
public record GlobalDatabase(String database, String schema) {
    /** The default schema. */
    public static final String DEFAULT_SCHEMA = "sharded_global";

    private static final Pattern PLAIN = Pattern.compile("[a-z_][a-z0-9_]{0,62}");
    private static final Pattern TAKEN = Pattern.compile(
            "pg_.*|shard_[0-9]+|sharded_id|sharded_id_shard|sharded_id_global|information_schema|public");

    /**
     * Checks the schema's name.
     *
     * @throws IllegalArgumentException if the name needs quotes, has more than 63 characters, is {@code public}, or is reserved
     *     by PostgreSQL, a shard or this library
     */
    public GlobalDatabase {
        if (!PLAIN.matcher(schema).matches() || TAKEN.matcher(schema).matches()) {
            throw new IllegalArgumentException("The schema of the global entities cannot be \"" + schema
                    + "\". Choose a name that is not reserved, of at most 63 lower-case letters, digits and underscores,"
                    + " such as " + DEFAULT_SCHEMA + ".");
        }
    }

    /**
     * The default schema in a database.
     *
     * @param database the name of a database of the cluster
     * @return with the schema {@value #DEFAULT_SCHEMA}
     */
    public static GlobalDatabase on(String database) {
        return new GlobalDatabase(database, DEFAULT_SCHEMA);
    }
}
