package io.github.shardedid.routing;

import static io.github.shardedid.routing.TwoDatabases.insert;
import static io.github.shardedid.routing.TwoDatabases.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.routing.internal.RoutingControl;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class RoutingTurnsIntegrationTests {
    private static final String SELECT = "SELECT caption FROM sharded_id_shard.photo WHERE id = 1";
    private final TwoDatabases databases = new TwoDatabases(RoutingOptions.DEFAULT.withDeferredBegin(false));

    @AfterEach
    void nothingLeaks() {
        assertThat(databases.taken()).isZero();
        databases.close();
    }

    @Test
    void aTransactionalSelectAndItsCommitAreTwoTurns() throws SQLException {
        databases.warmUp();
        try (Connection connection = databases.transaction()) {
            assertThat(read(connection, 1, SELECT)).isEqualTo("of shard 1");
            connection.commit();
        }
        assertThat(databases.tap1.turns()).isEqualTo(2);
        assertThat(databases.tap2.turns()).isZero();
    }

    @Test
    void aSelectInAutocommitIsOneTurn() throws SQLException {
        databases.warmUp();
        try (Connection connection = databases.routed.getConnection()) {
            assertThat(read(connection, 2, SELECT)).isEqualTo("of shard 2");
            assertThat(databases.taken()).isZero();
        }
        assertThat(databases.tap2.turns()).isEqualTo(1);
        assertThat(databases.tap1.turns()).isZero();
    }

    @Test
    void readingASecondDatabaseInAWritingTransactionIsTwoTurnsThereCheckIncluded() throws SQLException {
        databases.warmUp();
        try (Connection connection = databases.transaction()) {
            insert(connection, 0, 7);
            read(connection, 2, SELECT);
            connection.commit();
        }
        assertThat(databases.tap1.turns()).isEqualTo(2);
        assertThat(databases.tap2.turns()).isEqualTo(2);
        assertThat(databases.count(0)).isEqualTo(2);
    }

    @Test
    void aDatabaseForWhichAStatementWasOnlyPreparedIsSentNothing() throws SQLException {
        databases.warmUp();
        try (Connection connection = databases.transaction()) {
            insert(connection, 0, 7);
            try (ShardContext.Scope scope = ShardContext.open(2)) {
                connection.prepareStatement(SELECT).close();
            }
            connection.commit();
        }
        assertThat(databases.tap1.turns()).isEqualTo(2);
        assertThat(databases.tap2.turns()).isZero();
    }

    @Test
    void transactionsThatReadTwoDatabasesAreTwoTurnsOnEach() throws SQLException {
        databases.warmUp();
        try (Connection connection = databases.transaction()) {
            read(connection, 0, SELECT);
            read(connection, 2, SELECT);
            connection.commit();
        }
        assertThat(databases.tap1.turns()).isEqualTo(2);
        assertThat(databases.tap2.turns()).isEqualTo(2);
    }

    @Test
    void nothingIsSentBeforeTheFirstStatement() throws SQLException {
        databases.warmUp();
        try (Connection connection = databases.transaction()) {
            connection.setReadOnly(true);
            connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            connection.getTransactionIsolation();
            connection.unwrap(RoutingControl.class);
            connection.isValid(1);
            connection.commit();
            connection.rollback();
        }
        assertThat(databases.tap1.turns() + databases.tap2.turns()).isZero();
    }

    @Test
    void anIsolationLevelCostsOneTurnAndHolds() throws SQLException {
        databases.warmUp();
        try (Connection connection = databases.routed.getConnection()) {
            connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            connection.setReadOnly(true);
            connection.setAutoCommit(false);
            assertThat(
                            read(
                                    connection,
                                    1,
                                    "SELECT pg_catalog.current_setting('transaction_isolation')"
                                            + " || ' ' || pg_catalog.current_setting('transaction_read_only') FROM sharded_id_shard.photo"))
                    .isEqualTo("serializable on");
            connection.commit();
        }
        assertThat(databases.tap1.turns()).isEqualTo(3);
        try (Connection connection = databases.transaction()) {
            assertThat(read(connection, 1, "SHOW transaction_isolation")).isEqualTo("read committed");
            assertThat(read(connection, 1, "SHOW transaction_read_only")).isEqualTo("off");
        }
    }

    @Test
    void aRefusedSecondWriteSendsNothing() throws SQLException {
        databases.warmUp();
        try (Connection connection = databases.transaction()) {
            insert(connection, 0, 7);
            databases.tap1.reset();
            assertThatThrownBy(() -> insert(connection, 1, 8))
                    .isInstanceOf(SecondWriteShardException.class)
                    .hasMessageContaining("shard 0 (database pg1)")
                    .hasMessageContaining("shard 1 (database pg1)")
                    .hasMessageContaining("INSERT INTO sharded_id_shard.photo");
            assertThatThrownBy(() -> insert(connection, 2, 8)).isInstanceOf(SecondWriteShardException.class);
            assertThat(databases.tap1.turns() + databases.tap2.turns()).isZero();
            connection.commit();
        }
        assertThat(databases.tap1.frontendMessages()).containsExactly("COMMIT");
        assertThat(databases.count(0)).isEqualTo(2);
        assertThat(databases.count(1)).isEqualTo(1);
    }
}
