package io.github.shardedid.routing;

import static io.github.shardedid.routing.TwoDatabases.insert;
import static io.github.shardedid.routing.TwoDatabases.read;
import static io.github.shardedid.routing.TwoDatabases.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.routing.internal.RoutingControl;
import io.github.shardedid.topology.UnknownShardException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class WriteRuleIntegrationTests extends RoutedBothWays {
    private static final String HIDDEN = "within a statement that looks like a read, to database ";
    private static final String SNEAK = "SELECT sharded_id_shard.sneak(";

    @Test
    void everyKindOfSecondWriteIsRefused() throws SQLException {
        try (Connection connection = databases.transaction()) {
            insert(connection, 0, 5);
            String[] refused = {
                "UPDATE sharded_id_shard.photo SET caption = 'x'",
                "WITH x AS (DELETE FROM sharded_id_shard.photo RETURNING 1) SELECT * FROM x",
                "SELECT nextval('sharded_id_shard.seq')",
                "CREATE TABLE sharded_id_shard.x (a int)",
                "SELECT 1; DELETE FROM photo"
            };
            for (String sql : refused) {
                for (int shard : new int[] {1, 2}) {
                    assertThatThrownBy(() -> read(connection, shard, sql))
                            .isInstanceOf(SecondWriteShardException.class);
                    assertThatThrownBy(() -> write(connection, shard, sql))
                            .isInstanceOf(SecondWriteShardException.class);
                }
            }
            assertThat(read(connection, 2, SELECT)).isEqualTo("of shard 2");
            assertThat(read(connection, 1, SELECT)).isEqualTo("of shard 1");
            insert(connection, 0, 6);
            connection.commit();
        }
        assertThat(databases.count(0)).isEqualTo(3);
        assertThat(databases.count(2)).isEqualTo(1);
    }

    @Test
    void afterCommitAndRollbackTheShardIsFreeAgain() throws SQLException {
        try (Connection connection = databases.transaction()) {
            insert(connection, 0, 5);
            connection.commit();
            insert(connection, 1, 5);
            connection.rollback();
            insert(connection, 2, 5);
            connection.setAutoCommit(true);
            insert(connection, 3, 5);
            insert(connection, 0, 6);
        }
        assertThat(databases.count(0)).isEqualTo(3);
        assertThat(databases.count(1)).isEqualTo(1);
        assertThat(databases.count(2)).isEqualTo(2);
        assertThat(databases.count(3)).isEqualTo(2);
    }

    @Test
    void batchesCount() throws SQLException {
        try (Connection connection = databases.transaction();
                Statement batch = connection.createStatement()) {
            try (ShardContext.Scope scope = ShardContext.open(2)) {
                batch.addBatch("INSERT INTO sharded_id_shard.photo VALUES (5, 'a')");
                batch.addBatch("INSERT INTO photo VALUES (6, 'a')");
            }
            assertThatThrownBy(() -> insert(connection, 0, 8)).isInstanceOf(SecondWriteShardException.class);
            try (ShardContext.Scope scope = ShardContext.open(3)) {
                assertThatThrownBy(() -> batch.addBatch("DELETE FROM photo"))
                        .isInstanceOf(SecondWriteShardException.class);
            }
            try (ShardContext.Scope scope = ShardContext.open(2)) {
                assertThat(batch.executeBatch()).containsExactly(1, 1);
            }
            connection.commit();
        }
        assertThat(databases.count(2)).isEqualTo(3);
    }

    @Test
    void aPreparedBatchGoesToTheShardInWhichItWasPrepared() throws SQLException {
        try (Connection connection = databases.transaction();
                ShardContext.Scope scope = ShardContext.open(2)) {
            PreparedStatement batch = connection.prepareStatement("INSERT INTO photo VALUES (?, 'a')");
            for (int id = 5; id < 8; id++) {
                batch.setLong(1, id);
                batch.addBatch();
            }
            assertThat(read(connection, 3, "SELECT caption FROM photo")).isEqualTo("of shard 3");
            assertThat(batch.executeBatch()).containsExactly(1, 1, 1);
            connection.commit();
        }
        assertThat(databases.count(2)).isEqualTo(4);
        assertThat(databases.count(3)).isEqualTo(1);
    }

    @Test
    void aDeclaredWriteBindsWithoutTouchingADatabase() throws SQLException {
        databases.warmUp();
        try (Connection connection = databases.transaction()) {
            RoutingControl routed = connection.unwrap(RoutingControl.class);
            routed.declareWrite(Target.shard(2), () -> "Photo 17");
            routed.declareWrite(Target.shard(2), () -> "Photo 18");
            assertThatThrownBy(() -> routed.declareWrite(Target.shard(3), () -> "Photo 19"))
                    .isInstanceOf(SecondWriteShardException.class)
                    .hasMessageContaining("Photo 19");
            assertThatThrownBy(() -> insert(connection, 0, 5)).isInstanceOf(SecondWriteShardException.class);
            for (int unknown : new int[] {4, -1, Integer.MAX_VALUE}) {
                assertThatThrownBy(() -> routed.declareWrite(Target.shard(unknown), () -> "Photo 20"))
                        .isInstanceOf(UnknownShardException.class);
            }
            assertThat(databases.tap1.turns() + databases.tap2.turns()).isZero();
            insert(connection, 2, 5);
            read(connection, 0, SELECT);
            connection.commit();
            connection.setAutoCommit(true);
            routed.declareWrite(Target.shard(0), () -> "");
            routed.declareWrite(Target.shard(1), () -> "");
            assertThatThrownBy(() -> routed.declareWrite(Target.shard(-1), () -> ""))
                    .isInstanceOf(UnknownShardException.class);
        }
        assertThat(databases.count(2)).isEqualTo(2);
    }

    @Test
    void aHiddenWriteBesideADeclaredOneRollsEverythingBack() throws SQLException {
        try (Connection connection = databases.transaction()) {
            insert(connection, 0, 5);
            read(connection, 2, SNEAK + "5)");
            assertThatThrownBy(connection::commit)
                    .isInstanceOf(SecondWriteShardException.class)
                    .hasMessageContaining("wrote to database pg1")
                    .hasMessageContaining(HIDDEN + "pg2")
                    .hasMessageContaining("Everything was rolled back");
            assertThat(databases.taken()).isZero();
        }
        assertThat(databases.count(0)).isEqualTo(1);
        assertThat(databases.count(2)).isEqualTo(1);
    }

    @Test
    void aSingleHiddenWriteIsFineWhereverItIs() throws SQLException {
        for (int[] order : new int[][] {{0, 2}, {2, 0}}) {
            for (int hiding : order) {
                try (Connection connection = databases.transaction()) {
                    for (int shard : order) {
                        read(connection, shard, shard == hiding ? SNEAK + databases.count(shard) + 100 + ")" : SELECT);
                    }
                    connection.commit();
                }
            }
        }
        assertThat(databases.count(0)).isEqualTo(3);
        assertThat(databases.count(2)).isEqualTo(3);
    }

    @Test
    void twoHiddenWritesRollEverythingBack() throws SQLException {
        try (Connection connection = databases.transaction()) {
            read(connection, 0, SNEAK + "5)");
            read(connection, 2, SNEAK + "5)");
            assertThatThrownBy(connection::commit)
                    .isInstanceOf(SecondWriteShardException.class)
                    .hasMessageContaining(HIDDEN)
                    .hasMessageContaining("Everything was rolled back");
        }
        assertThat(databases.count(0)).isEqualTo(1);
        assertThat(databases.count(2)).isEqualTo(1);
    }

    @Test
    void rowsMayBeLockedInAnotherDatabaseThanTheWrittenOne() throws SQLException {
        try (Connection connection = databases.transaction()) {
            read(connection, 2, SELECT + " FOR UPDATE");
            insert(connection, 0, 5);
            connection.commit();
            read(connection, 2, SELECT + " FOR UPDATE");
            read(connection, 0, SELECT + " FOR UPDATE");
            connection.commit();
        }
        assertThat(databases.count(0)).isEqualTo(2);
    }

    @Test
    void whenAReaderIsLostNothingIsWritten() throws SQLException {
        try (Connection connection = databases.transaction()) {
            insert(connection, 0, 5);
            read(connection, 2, SELECT + " FOR SHARE");
            databases.tap2.cut();
            assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
            assertThat(databases.taken()).isZero();
        }
        assertThat(databases.count(0)).isEqualTo(1);
    }

    @Test
    void inAFailedTransactionTheCommitFailsEverywhere() throws SQLException {
        try (Connection connection = databases.transaction()) {
            insert(connection, 0, 5);
            assertThatThrownBy(() -> read(connection, 2, "SELECT 1/0")).isInstanceOf(SQLException.class);
            assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
        }
        assertThat(databases.count(0)).isEqualTo(1);
    }

    @Test
    void withoutAShardNothingIsSent() throws SQLException {
        try (Connection connection = databases.routed.getConnection();
                Statement statement = connection.createStatement()) {
            assertThatThrownBy(() -> connection.prepareStatement("SELECT 'secret' FROM photo"))
                    .isInstanceOf(NoShardException.class)
                    .hasMessageContaining("FROM photo")
                    .hasMessageContaining("ShardContext.run")
                    .hasMessageNotContaining("secret");
            assertThatThrownBy(() -> statement.executeQuery(SELECT)).isInstanceOf(NoShardException.class);
            assertThatThrownBy(() -> connection.createArrayOf("int4", new Object[] {1}))
                    .isInstanceOf(NoShardException.class);
            assertThatThrownBy(() -> read(connection, 4, SELECT)).isInstanceOf(UnknownShardException.class);
        }
    }

    @Test
    void transactionControlIsLeftToTheConnection() throws SQLException {
        try (Connection connection = databases.transaction()) {
            assertThatThrownBy(() -> write(connection, 0, "COMMIT")).isInstanceOf(SQLException.class);
        }
    }
}
