package io.github.shardedid.attack;

import io.github.shardedid.test.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Looks, from outside, how long sessions of workers wait: for locks, or with an open transaction for something that no database sees. */
final class BlockedSessions {
    /**
     * As many lock timeouts as a transaction may wait for: one for each value that it claims, and for those of the transactions that it waits for.
     * The rest is for a machine without a free processor, on which all sessions restart after a crash.
     */
    private static final int TIMEOUTS = 240;

    static final Duration LONGEST = Duration.ofMillis(LoginsWorker.LOCK_TIMEOUT).multipliedBy(TIMEOUTS);

    private static final String WAITING =
            """
            SELECT floor(millis)::bigint || ' ' || concat_ws(' ', pid, application_name, state, wait_event, query)
            FROM (SELECT *, 1000 * extract(epoch FROM clock_timestamp() - state_change) AS millis FROM pg_stat_activity) s
            WHERE application_name LIKE 'worker-%' AND (state = 'idle in transaction' OR wait_event_type = 'Lock')
            ORDER BY millis DESC LIMIT 1""";

    private final List<String> faults = new ArrayList<>();
    private long longest;
    private String described = "";

    void look(TestDatabase database) {
        database.query(WAITING).forEach(line -> {
            long millis = Long.parseLong(line.substring(0, line.indexOf(' ')));
            if (millis > longest) {
                longest = millis;
                described = line;
            }
            if (millis > LONGEST.toMillis()) {
                faults.add(database.name() + ": " + line);
            }
        });
    }

    /** Milliseconds, and by what session. */
    String longest() {
        return described;
    }

    List<String> faults() {
        return faults;
    }
}
