package io.github.shardedid.routing;

import static io.github.shardedid.routing.TwoDatabases.insert;
import static io.github.shardedid.routing.TwoDatabases.read;
import static io.github.shardedid.routing.TwoDatabases.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Blob;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a transaction does must not depend on whether its begin is deferred. */
class DeferredBeginOutcomesIntegrationTests extends RoutedBothWays {
    private static final String COUNT = "SELECT count(*) FROM sharded_id_shard.photo";
    private static final String FAILING = "SELECT 1 / (id - 1) FROM sharded_id_shard.photo";

    @Test
    void afterAFailedReadNothingIsAcceptedThereUntilTheRollback() throws SQLException {
        try (Connection connection = databases.transaction()) {
            assertThatThrownBy(() -> read(connection, 0, FAILING)).hasMessageContaining("division by zero");
            assertFailed(() -> read(connection, 0, SELECT));
            assertFailed(() -> read(connection, 1, SELECT + " FOR UPDATE"));
            assertFailed(() -> insert(connection, 0, 7));
            assertThat(read(connection, 2, SELECT)).isEqualTo("of shard 2");
            assertFailed(connection::commit);
            assertThat(read(connection, 0, SELECT)).isEqualTo("of shard 0");

            assertThatThrownBy(() -> write(connection, 0, FAILING)).isInstanceOf(SQLException.class);
            connection.rollback();
            insert(connection, 0, 7);
            connection.commit();
        }
        assertThat(databases.count(0)).isEqualTo(2);
    }

    private static void assertFailed(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(SQLException.class)
                .extracting(e -> ((SQLException) e).getSQLState())
                .isEqualTo("25P02");
    }

    @Test
    void aSavepointFromBeforeTheFailureHelps() throws SQLException {
        try (Connection connection = databases.transaction()) {
            assertThat(read(connection, 0, SELECT)).isEqualTo("of shard 0");
            insert(connection, 2, 7);
            Savepoint savepoint = connection.setSavepoint();
            assertThatThrownBy(() -> read(connection, 0, FAILING)).isInstanceOf(SQLException.class);
            assertFailed(connection::setSavepoint);
            connection.rollback(savepoint);
            assertThat(read(connection, 0, SELECT)).isEqualTo("of shard 0");
            connection.commit();
        }
        assertThat(databases.count(2)).isEqualTo(2);
    }

    @Test
    void whatTheDriverRefusesToSendDoesNotEndATransaction() throws SQLException {
        try (Connection connection = databases.transaction();
                ShardContext.Scope scope = ShardContext.open(0)) {
            try (PreparedStatement select = connection.prepareStatement(SELECT + " AND id = ?")) {
                assertThatThrownBy(select::executeQuery).hasMessageContaining("No value specified");
            }
            insert(connection, 0, 7);
            connection.commit();
        }
        assertThat(databases.count(0)).isEqualTo(2);
    }

    @Test
    void aReadOnlyTransactionRefusesWritesHoweverTheyAreHidden() throws SQLException {
        String[] writes = {
            "INSERT INTO sharded_id_shard.photo VALUES (7, 'x')",
            "SELECT sharded_id_shard.sneak(7)",
            "WITH x AS (DELETE FROM sharded_id_shard.photo RETURNING id) SELECT * FROM x",
            SELECT + " FOR UPDATE"
        };
        for (String sql : writes) {
            try (Connection connection = databases.routed.getConnection()) {
                connection.setReadOnly(true);
                connection.setAutoCommit(false);
                assertThat(read(connection, 0, SELECT)).isEqualTo("of shard 0");
                assertThatThrownBy(() -> read(connection, 0, sql)).as(sql).hasMessageContaining("read-only");
            }
        }
        try (Connection connection = databases.transaction()) {
            insert(connection, 0, 7);
            connection.commit();
        }
        assertThat(databases.count(0)).isEqualTo(2);
    }

    @Test
    void anIsolationLevelHoldsForAllReads() throws SQLException {
        try (Connection connection = databases.routed.getConnection()) {
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            connection.setAutoCommit(false);
            assertOneSnapshot(connection);
        }
    }

    @Test
    void anIsolationLevelThatTheDatabaseGivesHoldsForAllReads() throws SQLException {
        databases.pg1.execute(
                "ALTER DATABASE " + databases.pg1.name() + " SET default_transaction_isolation = 'repeatable read'");
        try (Connection connection = databases.transaction()) {
            assertOneSnapshot(connection);
        }
        try (Connection connection = databases.transaction()) {
            assertOneSnapshot(connection);
        }
    }

    /** As on a connection of the driver's own, where both reads are in one transaction. */
    @Test
    void theCurrentTimeIsThatOfTheTransaction() throws SQLException {
        for (String sql : List.of(
                "SELECT 'now'::timestamptz",
                "SELECT timestamptz ' NOW '",
                "SELECT CAST('now' AS timestamptz)",
                "SELECT E'n\\x6fw'::timestamptz",
                "SELECT U&'\\006eow'::timestamptz",
                "SELECT $$now$$::timestamptz",
                "SELECT '[now,infinity)'::tstzrange",
                "SELECT ('{now}'::timestamptz[])[1]",
                "SELECT 'infinity'::timestamptz > 'now', 'now'::time",
                "SELECT to_char('now'::timestamp, 'US') FROM sharded_id_shard.photo",
                "SELECT ?::timestamptz",
                "SELECT max(least('infinity', cast(? AS timestamptz))) FROM sharded_id_shard.photo")) {
            try (Connection plain = databases.pg1.connect();
                    Connection routed = databases.transaction();
                    ShardContext.Scope scope = ShardContext.open(0)) {
                plain.setAutoCommit(false);
                assertThat(isOneTime(plain, sql.replace("sharded_id_shard", "shard_0000")))
                        .as(sql)
                        .isTrue();
                assertThat(isOneTime(routed, sql)).as(sql).isTrue();
            }
        }
    }

    private static boolean isOneTime(Connection connection, String sql) throws SQLException {
        Set<String> times = new HashSet<>();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < 3; i++) {
                if (sql.contains("?")) {
                    statement.setString(1, "now");
                }
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    times.add(row.getString(row.getMetaData().getColumnCount()));
                }
            }
        }
        return times.size() == 1;
    }

    private void assertOneSnapshot(Connection connection) throws SQLException {
        String before = read(connection, 0, COUNT);
        databases.pg1.execute("INSERT INTO shard_0000.photo SELECT max(id) + 1 FROM shard_0000.photo");
        assertThat(read(connection, 0, COUNT)).isEqualTo(before);
        connection.commit();
        assertThat(read(connection, 0, COUNT)).isNotEqualTo(before);
    }

    @Test
    void settingsCannotBeChangedOnceATransactionHasRead() throws SQLException {
        try (Connection connection = databases.transaction()) {
            read(connection, 0, SELECT);
            assertThatThrownBy(() -> connection.setReadOnly(true)).isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE))
                    .isInstanceOf(SQLException.class);
            connection.commit();
            connection.setReadOnly(true);
            connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        }
    }

    @Test
    void largeObjectsCanBeWrittenAndRead() throws SQLException {
        databases.pg1.execute("CREATE TABLE shard_0000.scan (id bigint PRIMARY KEY, image oid)");
        try (Connection connection = databases.transaction();
                ShardContext.Scope scope = ShardContext.open(0)) {
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO sharded_id_shard.scan VALUES (1, ?)")) {
                insert.setBlob(1, new ByteArrayInputStream("pixels".getBytes(StandardCharsets.UTF_8)));
                insert.executeUpdate();
            }
            connection.commit();
            String query = "SELECT image FROM sharded_id_shard.scan WHERE id = 1";
            try (PreparedStatement select = connection.prepareStatement(query);
                    ResultSet rows = select.executeQuery()) {
                assertThat(rows.next()).isTrue();
                assertThat(text(rows.getBlob(1))).isEqualTo("pixels");
            }
            connection.commit();
            try (PreparedStatement select = connection.prepareStatement(query);
                    ResultSet rows = select.executeQuery()) {
                assertThat(rows.next()).isTrue();
                assertThat(text(rows.getObject(1, Blob.class))).isEqualTo("pixels");
            }
        }
    }

    private static String text(Blob blob) throws SQLException {
        return new String(blob.getBytes(1, (int) blob.length()), StandardCharsets.UTF_8);
    }
}
