package io.github.shardedid.boot.test;

import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a row was found.
 *
 * @param database the database's name, {@code pg1} and the like
 * @param schema the schema in it: of a shard, of the global entities, or of somebody else
 */
public record RowPlace(String database, String schema) {
    private static final Pattern SHARD = Pattern.compile("shard_([0-9]+)");

    /**
     * The logical shard.
     *
     * @return empty if the schema is not that of a shard
     */
    public OptionalInt shard() {
        Matcher shard = SHARD.matcher(schema);
        return shard.matches() ? OptionalInt.of(Integer.parseInt(shard.group(1))) : OptionalInt.empty();
    }

    /** As messages name it. */
    @Override
    public String toString() {
        OptionalInt shard = shard();
        return (shard.isPresent() ? "shard " + shard.getAsInt() : "schema " + schema) + " on database " + database;
    }
}
