package io.github.shardedid.routing;

import static io.github.shardedid.routing.TwoDatabases.insert;
import static io.github.shardedid.routing.TwoDatabases.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class SavepointIntegrationTests extends RoutedBothWays {
    @Test
    void aRollbackToASavepointCoversDatabasesTouchedBeforeAndAfterIt() throws SQLException {
        try (Connection connection = databases.transaction()) {
            assertThat(read(connection, 0, SELECT)).isEqualTo("of shard 0");
            Savepoint savepoint = connection.setSavepoint("a");
            insert(connection, 2, 5);
            assertThatThrownBy(() -> insert(connection, 0, 5)).isInstanceOf(SecondWriteShardException.class);

            connection.rollback(savepoint);
            insert(connection, 0, 5);
            assertThat(read(connection, 2, "SELECT count(*) FROM sharded_id_shard.photo"))
                    .isEqualTo("1");
            connection.commit();
        }
        assertThat(databases.count(0)).isEqualTo(2);
        assertThat(databases.count(2)).isEqualTo(1);
    }

    @Test
    void aWriteTakenBackDoesNotHinderAWriteElsewhere() throws SQLException {
        try (Connection connection = databases.transaction()) {
            read(connection, 0, SELECT);
            Savepoint savepoint = connection.setSavepoint();
            insert(connection, 0, 5);
            connection.rollback(savepoint);
            insert(connection, 2, 5);
            connection.commit();
        }
        assertThat(databases.count(0)).isEqualTo(1);
        assertThat(databases.count(2)).isEqualTo(2);
    }

    @Test
    void aBindingFromBeforeTheSavepointStays() throws SQLException {
        try (Connection connection = databases.transaction()) {
            insert(connection, 0, 5);
            Savepoint savepoint = connection.setSavepoint();
            insert(connection, 0, 6);
            connection.rollback(savepoint);
            assertThatThrownBy(() -> insert(connection, 1, 7)).isInstanceOf(SecondWriteShardException.class);
            connection.commit();
        }
        assertThat(databases.count(0)).isEqualTo(2);
    }

    @Test
    void aFailedStatementIsRecoveredFrom() throws SQLException {
        try (Connection connection = databases.transaction()) {
            insert(connection, 0, 5);
            Savepoint outer = connection.setSavepoint();
            Savepoint inner = connection.setSavepoint();
            assertThatThrownBy(() -> insert(connection, 0, 5)).isInstanceOf(SQLException.class);
            connection.rollback(inner);
            connection.releaseSavepoint(outer);
            assertThatThrownBy(() -> connection.rollback(inner)).isInstanceOf(SQLException.class);
            connection.commit();
            assertThatThrownBy(() -> connection.rollback(outer)).isInstanceOf(SQLException.class);
        }
        assertThat(databases.count(0)).isEqualTo(2);
    }

    @Test
    void theIsolationLevelHoldsAfterADatabaseWasRolledBackWhole() throws SQLException {
        try (Connection connection = databases.routed.getConnection()) {
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            connection.setAutoCommit(false);
            Savepoint savepoint = connection.setSavepoint();
            insert(connection, 2, 5);
            connection.rollback(savepoint);
            assertThat(read(connection, 2, "SHOW transaction_isolation")).isEqualTo("repeatable read");
        }
    }

    /** As on a connection of the driver's own, where all that follows the savepoint is in the transaction that it began. */
    @Test
    void aSnapshotOutlivesTheRollbackToASavepointFromBeforeIt() throws SQLException {
        String count = "SELECT count(*) FROM photo";
        for (int level : new int[] {
            Connection.TRANSACTION_READ_COMMITTED,
            Connection.TRANSACTION_REPEATABLE_READ,
            Connection.TRANSACTION_SERIALIZABLE
        }) {
            List<List<String>> results = new ArrayList<>();
            for (boolean routed : new boolean[] {true, false}) {
                try (Connection connection = routed ? databases.routed.getConnection() : databases.pg1.connect();
                        ShardContext.Scope scope = ShardContext.open(0)) {
                    connection.setTransactionIsolation(level);
                    if (!routed) {
                        connection.setSchema("shard_0000");
                    }
                    connection.setAutoCommit(false);
                    Savepoint outer = connection.setSavepoint();
                    Savepoint inner = connection.setSavepoint("inner");
                    List<String> counts = new ArrayList<>(List.of(read(connection, 0, count)));
                    databases.pg1.execute("INSERT INTO shard_0000.photo SELECT max(id) + 1 FROM shard_0000.photo");
                    connection.rollback(inner);
                    counts.add(read(connection, 0, count));
                    connection.releaseSavepoint(inner);
                    connection.rollback(outer);
                    counts.add(read(connection, 0, count));
                    connection.rollback();
                    int first = Integer.parseInt(counts.get(0));
                    counts.replaceAll(each -> Integer.toString(Integer.parseInt(each) - first));
                    results.add(counts);
                }
            }
            assertThat(results.get(0)).as("level " + level).isEqualTo(results.get(1));
        }
    }

    @Test
    void thereAreNoneInAutocommit() throws SQLException {
        try (Connection connection = databases.routed.getConnection()) {
            assertThatThrownBy(connection::setSavepoint).isInstanceOf(SQLException.class);
            assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
            assertThatThrownBy(connection::rollback).isInstanceOf(SQLException.class);
        }
    }
}
