package io.github.shardedid.move;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A move as recorded in its journal, which is in the source database.
 *
 * @param id of the move
 * @param shard the logical shard
 * @param source the database that owned the shard when the move began
 * @param target the database that is to own it
 * @param generation of the shard at the source; the target's is one more
 * @param offline whether the rows are copied under the fence, without logical replication
 * @param step the current step
 * @param started when it began, by the clock of the source
 * @param changed when its journal was last written, by the clock of the source
 * @param pause how long the shard could not be written; null until the switch
 * @param failure why it stopped or what was left undone, or null
 */
public record Move(
        UUID id,
        int shard,
        String source,
        String target,
        long generation,
        boolean offline,
        MoveStep step,
        Instant started,
        Instant changed,
        @Nullable Duration pause,
        @Nullable String failure) {
    /** For messages. */
    @Override
    public String toString() {
        return "The move of shard " + shard + " from " + source + " to " + target;
    }
}
