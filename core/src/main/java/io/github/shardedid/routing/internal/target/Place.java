package io.github.shardedid.routing.internal.target;

import io.github.shardedid.routing.internal.connection.ConnectionSettings;
import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import java.sql.SQLException;
import java.util.OptionalInt;

/**
 * Where a statement goes: a shard, or the schema of the global entities, which counts as one more shard wherever shards are
 * told from each other. So it has a number, too, one that no shard can have.
 */
public final class Place {
    public static final int GLOBAL = Integer.MAX_VALUE;

    /** Neither a shard's nor that of the global entities. */
    public static final int NONE = -1;

    private static final String HOW_TO_NAME_A_SHARD =
            " Name one with ShardContext.run(shard, ...), call a repository method with an id or a shard key, or mark a"
                    + " query with @AllShards.";

    private Place() {}

    public static int require(String what, ConnectionSettings settings) {
        OptionalInt place = settings.currentPlace();
        if (place.isEmpty()) {
            throw unknown(what);
        }
        return place.getAsInt();
    }

    /** The same for a statement, whose text is shortened only if it is needed. */
    public static int ofStatement(String sql, ConnectionSettings settings) {
        OptionalInt place = settings.currentPlace();
        if (place.isEmpty()) {
            throw unknown(SqlText.brief(sql));
        }
        return place.getAsInt();
    }

    private static NoShardException unknown(String what) {
        return new NoShardException("No shard is known for: " + what + "." + HOW_TO_NAME_A_SHARD);
    }

    /** What to throw where a statement would go elsewhere than the scope says in which it is executed. */
    public static SQLException differs(String sql, String prepared, ConnectionSettings settings) {
        OptionalInt place = settings.currentPlace();
        String now = ShardContext.currentSet()
                .map(ShardSet::toString)
                .orElse(place.isEmpty() ? "no shard" : text(place.getAsInt()));
        return new SQLException(
                "This statement was prepared, or its batch begun, in the scope of " + prepared
                        + ", and would now be executed in that of " + now + "; refused, and not sent, was "
                        + SqlText.brief(sql) + ". Prepare it again in the scope in which it is executed.",
                "55000");
    }

    /** The place in messages. */
    public static String text(int place) {
        return place == GLOBAL ? "the global entities" : "shard " + place;
    }
}
