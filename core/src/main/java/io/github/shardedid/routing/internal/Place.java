package io.github.shardedid.routing.internal;

import io.github.shardedid.routing.NoShardException;
import java.util.OptionalInt;

/**
 * Where a statement goes: a shard, or the schema of the global entities, which counts as one more shard wherever shards are
 * told from each other. So it has a number, too, one that no shard can have.
 */
final class Place {
    static final int GLOBAL = Integer.MAX_VALUE;

    private static final String HOW_TO_NAME_A_SHARD =
            " Name one with ShardContext.run(shard, ...), call a repository method with an id or a shard key, or mark a"
                    + " query with @AllShards.";

    private Place() {}

    static int require(String what, ConnectionSettings settings) {
        OptionalInt place = settings.currentPlace();
        if (place.isEmpty()) {
            throw unknown(what);
        }
        return place.getAsInt();
    }

    /** The same for a statement, whose text is shortened only if it is needed. */
    static int ofStatement(String sql, ConnectionSettings settings) {
        OptionalInt place = settings.currentPlace();
        if (place.isEmpty()) {
            throw unknown(SqlText.brief(sql));
        }
        return place.getAsInt();
    }

    private static NoShardException unknown(String what) {
        return new NoShardException("No shard is known for: " + what + "." + HOW_TO_NAME_A_SHARD);
    }

    /** The place in messages. */
    static String text(int place) {
        return place == GLOBAL ? "the global entities" : "shard " + place;
    }
}
