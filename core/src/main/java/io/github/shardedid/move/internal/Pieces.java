package io.github.shardedid.move.internal;

import io.github.shardedid.move.Balance;
import io.github.shardedid.move.MovePlan;
import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.ReplicationSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Where the mover calls what compares the two sides. */
@SuppressWarnings({"DoNotCallSuggester", "UnusedVariable"})
final class Pieces {
    private Pieces() {}

    /** The comparison of the rows. */
    static @Nullable Comparison compare(Moving moving) throws SQLException {
        return null;
    }

    /** What the servers' settings do not allow. */
    static List<String> settings(Connection source, Connection target, ReplicationSource reach, int concurrent)
            throws SQLException {
        String level = Sql.text(source, "SHOW wal_level");
        return "logical".equals(level)
                ? List.of()
                : List.of("The source's wal_level is " + level + ": set it to logical and restart that server.");
    }

    static MovePlan drain(Map<String, DataSource> databases, String database) {
        throw new MoveRefusedException("Not planned: " + database);
    }

    static MovePlan rebalance(Map<String, DataSource> databases, Balance by) {
        throw new MoveRefusedException("Not planned: " + by);
    }
}
