package io.github.shardedid.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.jdbc.PgResultSet;

/** From a result there is no way round the routing. */
@Tag("quick")
class RoutedResultsIntegrationTests {
    private static final String SELECT = "SELECT id, caption FROM sharded_id_shard.photo WHERE id = 1";

    static TwoDatabases databases;

    @BeforeAll
    static void start() {
        databases = new TwoDatabases();
    }

    @AfterAll
    static void stop() {
        databases.close();
    }

    @AfterEach
    void noConnectionIsLeaked() {
        assertThat(databases.taken()).isZero();
    }

    private static void leadsBack(ResultSet rows, Statement statement, Connection connection) throws SQLException {
        assertThat(rows.getStatement()).isSameAs(statement);
        assertThat(rows.getStatement().getConnection()).isSameAs(connection);
        assertThat(rows.unwrap(ResultSet.class)).isSameAs(rows);
        assertThat(rows.isWrapperFor(ResultSet.class)).isTrue();
    }

    @Test
    void everyResultLeadsBackToItsStatementAndTheRoutedConnection() throws SQLException {
        try (Connection connection = databases.routed.getConnection();
                ShardContext.Scope scope = ShardContext.open(2)) {
            try (PreparedStatement prepared = connection.prepareStatement(SELECT);
                    ResultSet rows = prepared.executeQuery()) {
                leadsBack(rows, prepared, connection);
                assertThat(rows.next()).isTrue();
                assertThat(rows.getString("caption")).isEqualTo("of shard 2");
            }
            try (Statement plain = connection.createStatement()) {
                assertThat(plain.execute(SELECT)).isTrue();
                try (ResultSet rows = plain.getResultSet()) {
                    leadsBack(rows, plain, connection);
                }
            }
            try (PreparedStatement insert = connection.prepareStatement(
                    "INSERT INTO sharded_id_shard.photo VALUES (77, 'keys')", new String[] {"id"})) {
                assertThat(insert.executeUpdate()).isEqualTo(1);
                try (ResultSet keys = insert.getGeneratedKeys()) {
                    leadsBack(keys, insert, connection);
                    assertThat(keys.next()).isTrue();
                    assertThat(keys.getLong(1)).isEqualTo(77);
                }
            }
        }
    }

    @Test
    void aResultOfTheMetadataHasNoStatementToLeadTo() throws SQLException {
        try (Connection connection = databases.routed.getConnection();
                ShardContext.Scope scope = ShardContext.open(1);
                ResultSet tables = connection.getMetaData().getTables(null, "shard_000%", "photo", null)) {
            assertThat(tables.getStatement()).isNull();
            assertThat(tables.next()).isTrue();
        }
    }

    @Test
    void aResultIsItselfInSets() throws SQLException {
        try (Connection connection = databases.routed.getConnection();
                ShardContext.Scope scope = ShardContext.open(1);
                PreparedStatement statement = connection.prepareStatement(SELECT);
                ResultSet rows = statement.executeQuery()) {
            assertThat(List.of(rows).indexOf(rows)).isZero(); // by equals
            assertThat(Set.of(rows).contains(rows)).isTrue();
            assertThat(rows.isWrapperFor(PgResultSet.class)).isFalse();
        }
    }

    @Test
    void aFailureOfAResultIsTheDriversOwn() throws SQLException {
        try (Connection connection = databases.routed.getConnection();
                ShardContext.Scope scope = ShardContext.open(1);
                PreparedStatement statement = connection.prepareStatement(SELECT);
                ResultSet rows = statement.executeQuery()) {
            assertThatThrownBy(() -> rows.getInt("nothing"))
                    .isInstanceOf(SQLException.class)
                    .isNotInstanceOf(ConnectionLostException.class)
                    .hasMessageContaining("nothing");
        }
    }

    @Test
    void aStatementMayBeToldToCloseWithItsResultAfterItWasExecuted() throws SQLException {
        try (Connection connection = databases.routed.getConnection();
                ShardContext.Scope scope = ShardContext.open(1)) {
            PreparedStatement statement = connection.prepareStatement(SELECT);
            ResultSet rows = statement.executeQuery();
            statement.closeOnCompletion();
            assertThat(databases.taken()).isEqualTo(1);

            rows.close();

            assertThat(statement.isClosed()).isTrue();
            assertThat(databases.taken()).isZero();
            rows.close();
        }
    }
}
