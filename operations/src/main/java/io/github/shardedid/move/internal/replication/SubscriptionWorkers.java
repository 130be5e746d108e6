package io.github.shardedid.move.internal.replication;

import io.github.shardedid.move.internal.journal.Moving;
import io.github.shardedid.operations.internal.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Notices that the workers of a subscription end as soon as they begin. The server starts others without end, and counts no error if
 * the worker could not log in or connect.
 */
final class SubscriptionWorkers {
    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final long INSPECTION = Duration.ofSeconds(1).toNanos();
    private static final int STARTS = 3;

    /** The workers that copy tables as long as a table is to be copied, then the one that applies changes. */
    private static final String RUNNING = "SELECT w.relid, w.pid FROM pg_stat_subscription w WHERE w.subname = ?"
            + " AND w.pid IS NOT NULL AND (w.relid IS NOT NULL) = EXISTS (SELECT FROM pg_subscription_rel r"
            + " WHERE r.srsubid = w.subid AND r.srsubstate NOT IN ('s', 'r'))";

    private final Moving moving;
    private final Duration timeout;
    private final Map<String, Set<@Nullable String>> copies = new HashMap<>();
    private List<List<@Nullable String>> before = List.of();
    private long inspected = System.nanoTime();
    private long worked = inspected;

    SubscriptionWorkers(Moving moving) {
        this.moving = moving;
        // Half: before the same time without an arrival is taken for a silent connection.
        Duration most = moving.options().catchUpTimeout().dividedBy(2);
        this.timeout = most.compareTo(LONGEST) < 0 ? most : LONGEST;
    }

    /** Called when something has arrived. */
    void worked() {
        worked = System.nanoTime();
    }

    /** Called when the workers have been ended for a known reason. */
    void restarted() {
        copies.clear();
        before = List.of();
        worked();
    }

    /** Whether none has worked for two inspections for long, or one has begun to copy the same table again and again. */
    boolean areFailing() throws SQLException {
        if (System.nanoTime() - inspected < INSPECTION) {
            return false;
        }
        inspected = System.nanoTime();
        List<List<@Nullable String>> running =
                Sql.rows(moving.target(), RUNNING, moving.names().subscription());
        if (running.stream().anyMatch(before::contains)) {
            worked();
        }
        before = running;
        return isCopiedAgain(running) || inspected - worked >= timeout.toNanos();
    }

    private boolean isCopiedAgain(List<List<@Nullable String>> running) {
        boolean again = false;
        for (List<@Nullable String> worker : running) {
            String table = worker.get(0);
            if (table != null) {
                Set<@Nullable String> starts = copies.computeIfAbsent(table, none -> new HashSet<>());
                starts.add(worker.get(1));
                again |= starts.size() > STARTS;
            }
        }
        return again;
    }
}
