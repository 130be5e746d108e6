package io.github.shardedid.attack;

import io.github.shardedid.test.TestDatabase;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Looks, from outside, how long sessions of workers wait, and for what. */
final class BlockedSessions {
    private static final String WAITING =
            """
            SELECT floor(millis)::bigint || ' ' || what || ' ' || concat_ws(' ', pid, application_name, state, wait_event, query)
            FROM (SELECT *, 1000 * extract(epoch FROM clock_timestamp() - state_change) AS millis,
                CASE WHEN state = 'idle in transaction' THEN 'CLIENT' WHEN query ~ 'claim' THEN 'CLAIM' ELSE 'ROW' END AS what
              FROM pg_stat_activity) s
            WHERE application_name LIKE 'worker-%' AND (state = 'idle in transaction' OR wait_event_type = 'Lock')""";

    private final List<String> faults = new ArrayList<>();
    private final Map<Wait, Integer> longest = new EnumMap<>(Wait.class);

    /** What a session waits for, and as many lock timeouts as that may last. */
    private enum Wait {
        /**
         * The claim of another transaction, in the database. It may be that of several in turn; the rest is for a machine that leaves all these
         * processes without a processor for seconds.
         */
        CLAIM(30),
        /**
         * With an open transaction for its client, which may wait for the claim of another transaction, for one after the other if it claims several
         * values; and for 10 seconds for a shard whose move a crash has stopped behind its fence.
         */
        CLIENT(40),
        /** A row that another transaction has written, which waits in turn. No timeout of claims ends that. */
        ROW(60);

        private final int millis;

        Wait(int timeouts) {
            millis = timeouts * LoginsWorker.LOCK_TIMEOUT;
        }
    }

    /** As long as a transaction has to last for all to be blocked too long that wait until it ends, in milliseconds. */
    static int tooLong() {
        return Wait.CLIENT.millis + 4 * LoginsWorker.LOCK_TIMEOUT;
    }

    void look(TestDatabase database) {
        try {
            database.query(WAITING).forEach(line -> add(database.name() + ": " + line, line.split(" ", 3)));
        } catch (IllegalStateException e) {
            if (!(e.getCause() instanceof SQLException)) {
                throw e;
            }
            // The server has crashed, so that nobody waits in it.
        }
    }

    private void add(String line, String... words) {
        int millis = Integer.parseInt(words[0]);
        Wait wait = Wait.valueOf(words[1]);
        longest.merge(wait, millis, Math::max);
        if (millis > wait.millis) {
            faults.add(line);
        }
    }

    /** In milliseconds. */
    Map<Wait, Integer> longest() {
        return longest;
    }

    List<String> faults() {
        return faults;
    }
}
