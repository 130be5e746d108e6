package io.github.shardedid.routing;

import static io.github.shardedid.routing.TwoDatabases.insert;
import static io.github.shardedid.routing.TwoDatabases.read;
import static io.github.shardedid.routing.TwoDatabases.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which statements of a transaction are inside it, counted and looked at on the wire. */
@Tag("quick")
class DeferredBeginIntegrationTests {
    private static final String SELECT = "SELECT caption FROM sharded_id_shard.photo WHERE id = 1";
    private static final String COUNT = "SELECT count(*) FROM sharded_id_shard.photo";
    private static final String UPDATE = "UPDATE sharded_id_shard.photo SET caption = 'changed' WHERE id = 1";
    private final TwoDatabases databases = new TwoDatabases();

    @AfterEach
    void nothingLeaks() {
        assertThat(databases.taken()).isZero();
        databases.close();
    }

    @Test
    void aTransactionalFindIsOneTurnAndHoldsNoConnection() throws SQLException {
        databases.warmUp();
        try (Connection connection = databases.transaction()) {
            assertThat(read(connection, 1, SELECT)).isEqualTo("of shard 1");
            assertThat(databases.taken()).isZero();
            connection.commit();
        }
        assertThat(databases.tap1.turns()).isEqualTo(1);
        assertThat(databases.tap1.frontendMessages()).noneMatch("BEGIN"::equals);
        assertThat(databases.tap2.turns()).isZero();
    }

    @Test
    void anUpdateBeginsInItsOwnTurnAndWhatFollowsSeesIt() throws SQLException {
        databases.warmUp();
        try (Connection connection = databases.transaction()) {
            assertThat(read(connection, 0, SELECT)).isEqualTo("of shard 0");
            assertThat(databases.tap1.frontendMessages()).noneMatch("BEGIN"::equals);
            assertThat(write(connection, 0, UPDATE)).isEqualTo(1);
            assertThat(databases.tap1.turns()).isEqualTo(2);
            assertThat(read(connection, 0, SELECT)).isEqualTo("changed");
            assertThat(read(connection, 1, SELECT)).isEqualTo("of shard 1");
            assertThat(databases.taken()).isEqualTo(1);
            assertThat(databases.pg1.query("SELECT caption FROM shard_0000.photo"))
                    .containsExactly("of shard 0");
            connection.commit();
        }
        assertThat(databases.tap1.turns()).isEqualTo(5);
        assertThat(databases.tap1.frontendMessages())
                .extracting(String::strip)
                .filteredOn(sql -> sql.equals("BEGIN") || sql.equals("COMMIT"))
                .containsExactly("BEGIN", "COMMIT");
        assertThat(databases.pg1.query("SELECT caption FROM shard_0000.photo")).containsExactly("changed");
    }

    @Test
    void readsBesideAWriteElsewhereAreOneTurnEach() throws SQLException {
        databases.warmUp();
        try (Connection connection = databases.transaction()) {
            read(connection, 0, SELECT);
            insert(connection, 2, 7);
            read(connection, 1, SELECT);
            assertThat(databases.taken()).isEqualTo(1);
            connection.commit();
        }
        assertThat(databases.tap1.turns()).isEqualTo(2);
        assertThat(databases.tap1.frontendMessages()).noneMatch(sql -> sql.equals("BEGIN") || sql.equals("COMMIT"));
        assertThat(databases.tap2.turns()).isEqualTo(2);
        assertThat(databases.count(2)).isEqualTo(2);
    }

    @Test
    void aStatementThatWasOpenBeforeTheWriteIsInsideFromThenOn() throws SQLException {
        try (Connection connection = databases.transaction();
                ShardContext.Scope scope = ShardContext.open(0);
                PreparedStatement count = connection.prepareStatement(COUNT)) {
            ResultSet first = count.executeQuery();
            assertThat(first.getStatement()).isSameAs(count);
            assertThat(Set.of(first)).contains(first);
            assertThat(single(first)).isEqualTo("1");
            insert(connection, 0, 7);
            assertThat(databases.taken()).isEqualTo(1);
            assertThat(single(count.executeQuery())).isEqualTo("2");
            connection.rollback();
        }
        assertThat(databases.count(0)).isEqualTo(1);
    }

    private static String single(ResultSet rows) throws SQLException {
        try (rows) {
            return rows.next() ? String.valueOf(rows.getString(1)) : "no row";
        }
    }

    @Test
    void aLockIsHeldToTheEndOfTheTransaction() throws SQLException {
        for (String lock : new String[] {"FOR UPDATE", "FOR NO KEY UPDATE", "FOR SHARE", "FOR KEY SHARE"}) {
            try (Connection connection = databases.transaction();
                    Connection other = databases.pg1.connect();
                    Statement statement = other.createStatement()) {
                read(connection, 0, SELECT);
                read(connection, 0, SELECT + " " + lock);
                String attempt = "SELECT 1 FROM shard_0000.photo WHERE id = 1 FOR UPDATE NOWAIT";
                assertThatThrownBy(() -> statement.executeQuery(attempt))
                        .as(lock)
                        .hasMessageContaining("could not obtain lock");
                connection.commit();
                assertThat(statement.executeQuery(attempt).next()).isTrue();
            }
        }
    }

    @Test
    void aFunctionThatMayWriteIsInside() throws SQLException {
        try (Connection connection = databases.transaction()) {
            read(connection, 0, SELECT);
            assertThat(read(connection, 0, "SELECT sharded_id_shard.sneak(7)")).isEqualTo("7");
            assertThat(read(connection, 0, COUNT)).isEqualTo("2");
            connection.rollback();
        }
        assertThat(databases.count(0)).isEqualTo(1);
    }

    @Test
    void whatHasTheScopeOfATransactionKeepsIt() throws SQLException {
        try (Connection connection = databases.transaction()) {
            String now = read(connection, 0, "SELECT now() FROM sharded_id_shard.photo");
            assertThat(read(connection, 0, "SELECT current_timestamp FROM sharded_id_shard.photo"))
                    .isEqualTo(now);
            write(connection, 0, "SET LOCAL statement_timeout = '12345ms'");
            assertThat(read(connection, 0, "SHOW statement_timeout")).isEqualTo("12345ms");
            connection.commit();
            assertThat(read(connection, 0, "SHOW statement_timeout")).isEqualTo("0");

            write(connection, 2, "CREATE TEMP TABLE passing (a text) ON COMMIT DROP");
            write(connection, 2, "INSERT INTO pg_temp.passing VALUES ('here')");
            assertThat(read(connection, 2, "SELECT a FROM pg_temp.passing")).isEqualTo("here");
            connection.rollback();

            read(connection, 0, "SELECT pg_advisory_xact_lock(4711)");
            assertThat(advisoryLocks()).isEqualTo(1);
            connection.commit();
            assertThat(advisoryLocks()).isZero();

            write(connection, 0, "DECLARE c CURSOR FOR SELECT a FROM generate_series(1, 3) AS s(a)");
            assertThat(read(connection, 0, "FETCH 1 FROM c")).isEqualTo("1");
            assertThat(read(connection, 0, "FETCH 1 FROM c")).isEqualTo("2");
        }
    }

    private long advisoryLocks() {
        return databases.pg1.queryLong("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 4711");
    }

    @Test
    void resultsThatAreFetchedBitByBitAreInside() throws SQLException {
        String many = "SELECT g FROM generate_series(1, 100) AS s(g), sharded_id_shard.photo";
        try (Connection connection = databases.transaction();
                ShardContext.Scope scope = ShardContext.open(0);
                PreparedStatement streaming = connection.prepareStatement(many)) {
            streaming.setFetchSize(10);
            databases.tap1.reset();
            ResultSet rows = streaming.executeQuery();
            long first = databases.tap1.turns();
            while (rows.next()) {
                assertThat(rows.getInt(1)).isPositive();
            }
            assertThat(databases.tap1.turns()).isGreaterThan(first);
            assertThat(databases.tap1.frontendMessages()).contains("BEGIN");
            streaming.close();
            assertThat(databases.taken()).isEqualTo(1);
        }
    }

    @Test
    void anUpdatableResultIsInside() throws SQLException {
        try (Connection connection = databases.transaction();
                ShardContext.Scope scope = ShardContext.open(0);
                PreparedStatement updatable = connection.prepareStatement(
                        "SELECT id, caption FROM photo", ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_UPDATABLE)) {
            ResultSet rows = updatable.executeQuery();
            assertThat(rows.next()).isTrue();
            rows.updateString("caption", "changed");
            rows.updateRow();
            connection.rollback();
        }
        assertThat(databases.pg1.query("SELECT caption FROM shard_0000.photo")).containsExactly("of shard 0");
    }

    @Test
    void switchedOffEveryFirstStatementBegins() throws SQLException {
        databases.warmUp();
        try (Connection connection = databases
                .routed(RoutingOptions.DEFAULT.withDeferredBegin(false))
                .getConnection()) {
            connection.setAutoCommit(false);
            read(connection, 0, SELECT);
            assertThat(databases.taken()).isEqualTo(1);
            connection.commit();
        }
        // This data source meets the session for the first time, which is one more.
        assertThat(databases.tap1.turns()).isEqualTo(3);
    }
}
