package io.github.shardedid.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.move.internal.replication.MoveJournal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a journal says has reached the disk, also where commits need not. */
@Tag("quick")
class DurableJournalIntegrationTests {
    @Test
    void aStepIsFlushedThoughCommitsAreAsynchronous() throws Exception {
        try (MovingCluster cluster = new MovingCluster()) {
            Move move = cluster.mover().moveOffline(MovingCluster.SHARD, "pg2");
            try (Connection connection =
                    Objects.requireNonNull(cluster.sources().get("pg1")).getConnection()) {
                for (boolean autocommit : new boolean[] {true, false}) {
                    try (Statement statement = connection.createStatement()) {
                        statement.execute("SET synchronous_commit = off");
                    }
                    connection.setAutoCommit(autocommit);
                    String written = position(connection, "pg_current_wal_insert_lsn()");
                    new MoveJournal(connection, move.id()).step(MoveStep.SWITCH);
                    if (!autocommit) {
                        connection.commit();
                    }
                    assertThat(position(connection, "pg_current_wal_flush_lsn() > '" + written + "'::pg_lsn"))
                            .isEqualTo("t");
                    connection.setAutoCommit(true);
                }
            }
        }
    }

    private static String position(Connection connection, String expression) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT " + expression)) {
            row.next();
            return row.getString(1);
        }
    }
}
