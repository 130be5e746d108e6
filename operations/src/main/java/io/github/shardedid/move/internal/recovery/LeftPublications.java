package io.github.shardedid.move.internal.recovery;

import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;

/** Publications of moves that a physical backup has brought back, without the replication slots that belong to them. */
final class LeftPublications {
    private LeftPublications() {}

    /** Drops those of a shard of which no move is unfinished. */
    static void drop(Connection connection, int shard) throws SQLException {
        for (String publication : Sql.strings(
                connection,
                "SELECT quote_ident(pubname) FROM pg_publication WHERE pubname ~ ('^sharded_id_move_' || ? || '_[0-9a-f]+$')",
                shard)) {
            Sql.execute(connection, "DROP PUBLICATION " + publication);
        }
    }
}
