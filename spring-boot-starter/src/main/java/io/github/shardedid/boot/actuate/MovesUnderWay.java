package io.github.shardedid.boot.actuate;

import io.github.shardedid.move.MoveProgress;
import io.github.shardedid.move.MoveRefusedException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What was asked for in this process and is not done, and what has failed, of that the newest only: journals tell of all moves.
 * Safe for use by several threads.
 */
final class MovesUnderWay {
    static final int MOST_FAILURES = 50;

    private final Map<Integer, Work> byShard = new TreeMap<>();
    private final Set<Integer> failed = new LinkedHashSet<>();

    /**
     * Something that was asked for.
     *
     * @param shard the logical shard
     * @param action what was asked for
     * @param progress how far it is; null while it waits for its turn
     * @param failure why it has ended, or null
     */
    record Work(int shard, String action, @Nullable MoveProgress progress, @Nullable String failure) {}

    /** Takes it in, in place of a failure of the shard. */
    synchronized Work begin(int shard, String action) {
        Work before = byShard.get(shard);
        if (before != null && before.failure() == null) {
            throw new MoveRefusedException("Shard " + shard + " has work under way here: " + before.action()
                    + ". Wait for its end; the endpoint shards shows how far it is.");
        }
        Work next = new Work(shard, action, null, null);
        byShard.put(shard, next);
        failed.remove(shard);
        return next;
    }

    synchronized void progress(MoveProgress progress) {
        byShard.computeIfPresent(
                progress.move().shard(), (shard, work) -> new Work(shard, work.action(), progress, work.failure()));
    }

    synchronized void done(int shard) {
        byShard.remove(shard);
    }

    synchronized void failed(int shard, String failure) {
        byShard.computeIfPresent(shard, (key, work) -> new Work(shard, work.action(), work.progress(), failure));
        failed.add(shard);
        if (failed.size() > MOST_FAILURES) {
            int oldest = failed.iterator().next();
            failed.remove(oldest);
            byShard.remove(oldest);
        }
    }

    /** By shard. */
    synchronized List<Work> all() {
        return new ArrayList<>(byShard.values());
    }
}
