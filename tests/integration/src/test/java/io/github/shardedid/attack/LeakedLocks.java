package io.github.shardedid.attack;

import io.github.shardedid.test.TestDatabase;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Looks for sessions that hold the generator's lock while they do nothing: whatever ended its call should have freed it. */
final class LeakedLocks {
    /** The time since when a session is idle tells a leak from a session that began and ended a call between two looks. */
    private static final String HOLDERS = "SELECT a.pid || ' idle since ' || a.state_change FROM pg_locks l"
            + " JOIN pg_stat_activity a USING (pid) WHERE l.locktype = 'advisory' AND l.granted"
            + " AND a.backend_type = 'client backend' AND a.state LIKE 'idle%'";

    private LeakedLocks() {}

    static void assertNone(TestDatabase database) throws SQLException {
        Set<String> leaks = new HashSet<>(holders(database));
        if (!leaks.isEmpty()) {
            leaks.retainAll(holders(database));
        }
        if (!leaks.isEmpty()) {
            throw new AssertionError("Advisory locks leaked by " + leaks);
        }
    }

    private static List<String> holders(TestDatabase database) throws SQLException {
        try {
            return database.query(HOLDERS);
        } catch (IllegalStateException e) {
            throw new SQLException("The server is down, or this session was hit", e);
        }
    }
}
