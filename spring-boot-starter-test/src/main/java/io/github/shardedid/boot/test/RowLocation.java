package io.github.shardedid.boot.test;

import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The location of a row.
 *
 * @param database the database's name, {@code pg1} and so on
 * @param schema the schema: of a shard, of the global entities, or another one
 */
public record RowLocation(String database, String schema) {
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

    /** The description in messages. */
    @Override
    public String toString() {
        OptionalInt shard = shard();
        return (shard.isPresent() ? "shard " + shard.getAsInt() : "schema " + schema) + " on database " + database;
    }
}
