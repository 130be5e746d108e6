package io.github.shardedid.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.PostgresServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server that crashes may forget that it has reserved ids: nobody may use them afterwards. */
@Tag("restarts")
class DatabaseIdSourceCrashIntegrationTests {
    private static final String SEQUENCE = IdCluster.PHOTO;
    private static final int SHARD = 0;

    private final DatabaseIdSource source =
            new DatabaseIdSource(IdLayout.DEFAULT, DatabaseIdSource.LARGEST_BLOCK, TimeUnit.HOURS.toNanos(1));

    @Test
    void whatIsLeftOfABlockIsNotUsedAfterACrashThatMayHaveForgottenIt() throws SQLException {
        try (PostgresServer server = PostgresServers.start()) {
            IdCluster cluster = IdCluster.on(server, IdLayout.DEFAULT, 2);
            try (Connection before = cluster.dataSource().getConnection()) {
                before.setAutoCommit(false);
                take(before, 3);
                server.stop();
                server.start();
                assertThatThrownBy(before::commit).isInstanceOf(SQLException.class);
            }
            try (Connection after = cluster.dataSource().getConnection()) {
                after.setAutoCommit(false);
                long id = take(after, 1);
                after.commit();
                assertThat(cluster.database().queryLong("SELECT last_value FROM shard_0000." + SEQUENCE))
                        .as("the database knows the id")
                        .isGreaterThanOrEqualTo(id);
            }
        }
    }

    @Test
    void whatIsLeftOfABlockIsUsedByOtherTransactionsWhileTheServerLives() throws SQLException {
        IdCluster cluster = IdCluster.of(IdLayout.DEFAULT, 2);
        try (Connection one = cluster.dataSource().getConnection();
                Connection two = cluster.dataSource().getConnection()) {
            one.setAutoCommit(false);
            two.setAutoCommit(false);
            take(two, 1);
            take(one, 3);
            long reserved = cluster.database().queryLong("SELECT last_value FROM shard_0000." + SEQUENCE);

            assertThat(take(two, 5)).isLessThanOrEqualTo(reserved);
            assertThat(cluster.database().queryLong("SELECT last_value FROM shard_0000." + SEQUENCE))
                    .isEqualTo(reserved);
        }
    }

    /** The last of some ids. */
    private long take(Connection connection, int count) throws SQLException {
        long last = 0;
        for (int i = 0; i < count; i++) {
            last = source.next(SHARD, SEQUENCE, connection);
        }
        return last;
    }
}
