package io.github.shardedid.routing;

import static io.github.shardedid.routing.TwoDatabases.read;
import static io.github.shardedid.routing.TwoDatabases.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class SearchPathIntegrationTests extends RoutedBothWays {
    private static final String UNQUALIFIED = "SELECT caption FROM photo WHERE id = 1";

    @BeforeEach
    void oneConnectionEach() {
        databases.pool1.setMaximumPoolSize(1);
        databases.pool2.setMaximumPoolSize(1);
    }

    private String inAutocommit(int shard) throws SQLException {
        try (Connection connection = databases.routed.getConnection()) {
            return read(connection, shard, UNQUALIFIED);
        }
    }

    private long sets() {
        return databases.tap1.frontendMessages().stream()
                .filter(sql -> sql.startsWith("SET search_path"))
                .count();
    }

    @Test
    void theSearchPathIsSetOnlyWhenItChanges() throws SQLException {
        assertThat(inAutocommit(0)).isEqualTo("of shard 0");
        databases.tap1.reset();
        assertThat(inAutocommit(0)).isEqualTo("of shard 0");
        assertThat(inAutocommit(0)).isEqualTo("of shard 0");
        assertThat(inAutocommit(1)).isEqualTo("of shard 1");
        assertThat(inAutocommit(1)).isEqualTo("of shard 1");
        assertThat(sets()).isEqualTo(1);
        assertThat(inAutocommit(0)).isEqualTo("of shard 0");
        assertThat(sets()).isEqualTo(2);
        assertThat(databases.tap1.turns()).isEqualTo(5);
    }

    @Test
    void whatARollbackRevertsIsSetAgain() throws SQLException {
        assertThat(inAutocommit(0)).isEqualTo("of shard 0");
        try (Connection connection = databases.transaction()) {
            assertThat(read(connection, 1, UNQUALIFIED)).isEqualTo("of shard 1");
            connection.rollback();
            assertThat(read(connection, 1, UNQUALIFIED)).isEqualTo("of shard 1");
        }
        assertThat(inAutocommit(1)).isEqualTo("of shard 1");
        assertThat(inAutocommit(0)).isEqualTo("of shard 0");
    }

    @Test
    void whatACommitKeepsIsNotSetAgain() throws SQLException {
        try (Connection connection = databases.transaction()) {
            assertThat(read(connection, 1, UNQUALIFIED)).isEqualTo("of shard 1");
            connection.commit();
        }
        databases.tap1.reset();
        assertThat(inAutocommit(1)).isEqualTo("of shard 1");
        assertThat(sets()).isZero();
    }

    @Test
    void whatARollbackToASavepointRevertsIsSetAgain() throws SQLException {
        try (Connection connection = databases.transaction()) {
            assertThat(read(connection, 0, UNQUALIFIED)).isEqualTo("of shard 0");
            Savepoint savepoint = connection.setSavepoint();
            assertThat(read(connection, 1, UNQUALIFIED)).isEqualTo("of shard 1");
            connection.rollback(savepoint);
            assertThat(read(connection, 1, UNQUALIFIED)).isEqualTo("of shard 1");
            connection.commit();
        }
        assertThat(inAutocommit(1)).isEqualTo("of shard 1");
        assertThat(inAutocommit(0)).isEqualTo("of shard 0");
    }

    @Test
    void whatAFailedCommitRevertsIsSetAgain() throws SQLException {
        assertThat(inAutocommit(0)).isEqualTo("of shard 0");
        try (Connection connection = databases.transaction()) {
            assertThat(read(connection, 1, UNQUALIFIED)).isEqualTo("of shard 1");
            assertThatThrownBy(() -> read(connection, 1, "SELECT 1/0")).isInstanceOf(SQLException.class);
            assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
        }
        assertThat(inAutocommit(1)).isEqualTo("of shard 1");
    }

    @Test
    void whatTheApplicationSetsIsNotTrusted() throws SQLException {
        String change = "DO $$ BEGIN PERFORM set_config('search' || '_path', 'shard_0001', false); END $$";
        assertThat(inAutocommit(0)).isEqualTo("of shard 0");
        try (Connection connection = databases.routed.getConnection()) {
            write(connection, 0, change);
        }
        assertThat(inAutocommit(0)).isEqualTo("of shard 0");
        try (Connection connection = databases.transaction()) {
            assertThat(read(connection, 0, UNQUALIFIED)).isEqualTo("of shard 0");
            write(connection, 0, change);
            assertThat(read(connection, 0, UNQUALIFIED)).isEqualTo("of shard 0");
            write(connection, 0, change);
            connection.commit();
        }
        assertThat(inAutocommit(0)).isEqualTo("of shard 0");
    }

    @Test
    void whatIsDoneOnTheDriversOwnConnectionIsNotTrusted() throws SQLException {
        assertThat(inAutocommit(0)).isEqualTo("of shard 0");
        try (Connection connection = databases.routed.getConnection();
                ShardContext.Scope scope = ShardContext.open(0)) {
            org.postgresql.jdbc.PgConnection driver = connection.unwrap(org.postgresql.jdbc.PgConnection.class);
            driver.setSchema("shard_0001");
        }
        assertThat(inAutocommit(0)).isEqualTo("of shard 0");
        try (Connection connection = databases.routed.getConnection()) {
            assertThatThrownBy(() -> connection.setSchema("shard_0001")).isInstanceOf(SQLException.class);
        }
    }

    @Test
    void aStatementThatNamesTablesBothWaysDoesNotMixTwoShards() throws SQLException {
        assertThat(inAutocommit(1)).isEqualTo("of shard 1");
        try (Connection connection = databases.routed.getConnection()) {
            String both =
                    "SELECT p.caption || ', ' || q.caption FROM sharded_id_shard.photo p JOIN photo q ON p.id = q.id";
            assertThat(read(connection, 0, both)).isEqualTo("of shard 0, of shard 0");
        }
    }

    @Test
    void aPreparedStatementStaysInItsShardWhateverRunsInBetween() throws SQLException {
        try (Connection connection = databases.transaction();
                ShardContext.Scope scope = ShardContext.open(0);
                PreparedStatement statement = connection.prepareStatement(UNQUALIFIED)) {
            for (int i = 0; i < 10; i++) {
                assertThat(read(connection, 1, UNQUALIFIED)).isEqualTo("of shard 1");
                try (ResultSet rows = statement.executeQuery()) {
                    assertThat(rows.next()).isTrue();
                    assertThat(rows.getString(1)).isEqualTo("of shard 0");
                }
            }
        }
    }
}
