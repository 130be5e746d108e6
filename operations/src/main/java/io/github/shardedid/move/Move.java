package io.github.shardedid.move;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A move as its journal tells, which is kept in the source database.
 *
 * @param id of the move
 * @param shard the logical shard
 * @param source the database that owned the shard when the move began
 * @param target the database that is to own it
 * @param generation of the shard at the source; the target's is one more
 * @param offline whether the rows are copied under the fence, without logical replication
 * @param step where it is
 * @param started when it began, by the source's clock
 * @param changed when its journal was last written, by the source's clock
 * @param pause how long nobody could write to the shard; null until the switch
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
        @Nullable String failure) {}
