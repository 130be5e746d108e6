package io.github.shardedid.operations.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The row of a shard in a database's {@code sharded_id.shard}. */
public record States(long generation, String state, @Nullable String migrations) {
    public static final String ACTIVE = "ACTIVE";
    public static final String MOVING = "MOVING";
    public static final String FENCING = "FENCING";
    public static final String FENCED = "FENCED";
    public static final String MOVED = "MOVED";
    public static final String RECEIVING = "RECEIVING";

    /** Null if the database knows nothing of the shard. */
    public static @Nullable States read(Connection connection, int shard) throws SQLException {
        List<List<@Nullable String>> rows = Sql.rows(
                connection, "SELECT generation, state, migrations FROM sharded_id.shard WHERE shard = ?", shard);
        return rows.isEmpty()
                ? null
                : new States(
                        Long.parseLong(String.valueOf(rows.get(0).get(0))),
                        String.valueOf(rows.get(0).get(1)),
                        rows.get(0).get(2));
    }

    /** Sets the state if it is one of some; whether it was. */
    public static boolean set(Connection connection, int shard, String to, String... from) throws SQLException {
        return Sql.update(
                        connection,
                        "UPDATE sharded_id.shard SET state = ? WHERE shard = ? AND state = ANY (?)",
                        to,
                        shard,
                        List.of(from))
                == 1;
    }
}
