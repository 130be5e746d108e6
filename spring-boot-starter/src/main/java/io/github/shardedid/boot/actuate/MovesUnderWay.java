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
 * Work on shards that was requested in this process and is not done, and the latest failures. The journals contain all moves. Safe
 * for use by several threads.
 */
final class MovesUnderWay {
    static final int MOST_FAILURES = 50;

    private final Map<Integer, Work> byShard = new TreeMap<>();
    private final Set<Integer> failed = new LinkedHashSet<>();

    /**
     * Requested work on a shard.
     *
     * @param shard the logical shard
     * @param action the requested action
     * @param progress its progress; null while it is queued
     * @param failure why it failed, or null
     */
    record Work(int shard, String action, @Nullable MoveProgress progress, @Nullable String failure) {}

    /** Adds work, in place of an earlier failure of the shard. */
    synchronized Work begin(int shard, String action) {
        Work before = byShard.get(shard);
        if (before != null && before.failure() == null) {
            throw new MoveRefusedException("Shard " + shard + " already has work in progress here: " + before.action()
                    + ". Wait until it ends; the endpoint shards shows its progress.");
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

    /** Ordered by shard. */
    synchronized List<Work> all() {
        return new ArrayList<>(byShard.values());
    }
}
