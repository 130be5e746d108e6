package io.github.shardedid.topology;

import java.util.regex.Pattern;

/**
 * Where the entities live that are not sharded: in one schema of one database. That database may own shards, too.
 *
 * @param database the name of a database of the cluster
 * @param schema the schema in it, which holds nothing else; never in need of quotes
 */
public record GlobalDatabase(String database, String schema) {
    /** The schema unless another one is named. */
    public static final String DEFAULT_SCHEMA = "sharded_global";

    private static final Pattern PLAIN = Pattern.compile("[a-z_][a-z0-9_]{0,62}");
    private static final Pattern TAKEN = Pattern.compile(
            "pg_.*|shard_[0-9]+|sharded_id|sharded_id_shard|sharded_id_global|information_schema|public");

    /**
     * Checks the schema's name.
     *
     * @throws IllegalArgumentException if the name would need quotes, has more than 63 characters, or belongs to PostgreSQL,
     *     to everybody, to a shard or to this library
     */
    public GlobalDatabase {
        if (!PLAIN.matcher(schema).matches() || TAKEN.matcher(schema).matches()) {
            throw new IllegalArgumentException("The schema of the global entities cannot be \"" + schema
                    + "\": it is a name of its own, of lower-case letters, digits and underscores, 63 at most, such as "
                    + DEFAULT_SCHEMA + ".");
        }
    }

    /**
     * The schema of that name in a database.
     *
     * @param database the name of a database of the cluster
     * @return with the schema {@value #DEFAULT_SCHEMA}
     */
    public static GlobalDatabase on(String database) {
        return new GlobalDatabase(database, DEFAULT_SCHEMA);
    }
}
