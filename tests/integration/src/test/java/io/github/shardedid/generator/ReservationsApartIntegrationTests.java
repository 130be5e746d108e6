package io.github.shardedid.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.PostgresServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Ids that a transaction reserves before it has begun on the database. */
class ReservationsApartIntegrationTests {
    private static final int SHARD = 1;

    private final DatabaseIdSource source = new DatabaseIdSource(IdLayout.DEFAULT);

    @ParameterizedTest
    @ValueSource(ints = {0, 10})
    void theTransactionHasNotBegunAfterwardsAndHasItsConnection(int fetchSize) throws SQLException {
        IdCluster cluster = IdCluster.of(IdLayout.DEFAULT, 2);
        PGSimpleDataSource fetching = new PGSimpleDataSource();
        fetching.setUrl(cluster.database().url());
        fetching.setUser(cluster.database().server().username());
        fetching.setPassword(cluster.database().server().password());
        fetching.setDefaultRowFetchSize(fetchSize);
        RoutingDataSource routed = new RoutingDataSource(cluster.dataSource().cluster(), Map.of("pg1", fetching));
        try (Connection connection = routed.getConnection()) {
            connection.setAutoCommit(false);

            source.next(SHARD, IdCluster.PHOTO, connection);

            assertThat(cluster.database()
                            .queryLong("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                                    + " AND pid <> pg_backend_pid() AND state = 'idle'"))
                    .isEqualTo(1);
            assertThat(in(connection, "SHOW synchronous_commit")).isEqualTo("on");
        }
    }

    @Test
    @Tag("restarts")
    void afterACrashThatMayHaveForgottenTheIdNoRowIsWrittenWithIt() throws SQLException {
        try (PostgresServer server = PostgresServers.start()) {
            IdCluster cluster = IdCluster.on(server, IdLayout.DEFAULT, 2);
            try (Connection connection = cluster.dataSource().getConnection()) {
                connection.setAutoCommit(false);
                long id = source.next(SHARD, IdCluster.PHOTO, connection);
                server.stop();
                server.start();

                assertThatThrownBy(() ->
                                in(connection, "INSERT INTO shard_0001.photo (id) VALUES (" + id + ") RETURNING id"))
                        .isInstanceOf(SQLException.class);
            }
            assertThat(cluster.database().queryLong("SELECT count(*) FROM shard_0001.photo"))
                    .isZero();
        }
    }

    /** Nothing but the commit makes the server write its log to the disk. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("restarts")
    void afterACommitNoCrashForgetsAnIdThatNoRowHas(boolean autoCommit) throws SQLException {
        try (PostgresServer server = PostgresServers.start()) {
            IdCluster cluster = IdCluster.on(server, IdLayout.DEFAULT, 2);
            cluster.database().execute("ALTER SYSTEM SET wal_writer_delay = '10s'");
            cluster.database().execute("ALTER SYSTEM SET wal_writer_flush_after = '1GB'");
            server.stop();
            server.start();
            long id;
            try (Connection connection = cluster.dataSource().getConnection()) {
                connection.setAutoCommit(autoCommit);
                take(connection); // so that what is read for the first time leaves nothing more in the log
                // Some values are logged in advance, so that the one that is taken needs no record of its own.
                cluster.database()
                        .execute("SET synchronous_commit = off; SELECT setval('shard_0001." + IdCluster.PHOTO
                                + "', sharded_id.encode(sharded_id.timestamp_of(clock_timestamp() + interval '1 hour'), 1, 0)),"
                                + " nextval('shard_0001." + IdCluster.PHOTO + "')");
                id = take(connection);
                server.stop();
            }
            server.start();
            assertThat(cluster.database().queryLong("SELECT last_value FROM shard_0001." + IdCluster.PHOTO))
                    .isGreaterThanOrEqualTo(id);
        }
    }

    @Test
    void aFailedReservationLeavesNothingToCommit() throws SQLException {
        IdCluster cluster = IdCluster.of(IdLayout.DEFAULT, 2);
        cluster.database().execute("DROP FUNCTION shard_0001.next_id(regclass) CASCADE");
        try (Connection connection = cluster.dataSource().getConnection()) {
            connection.setAutoCommit(false);

            assertThatThrownBy(() -> source.next(SHARD, IdCluster.PHOTO, connection))
                    .isInstanceOf(SQLException.class);

            assertThatThrownBy(() -> in(connection, "SELECT 1")).hasMessageContaining("has failed");
            assertThatThrownBy(connection::commit).hasMessageContaining("has failed");
        }
    }

    private static long take(Connection connection) throws SQLException {
        long id = new DatabaseIdSource(IdLayout.DEFAULT).next(SHARD, IdCluster.PHOTO, connection);
        if (!connection.getAutoCommit()) {
            connection.commit();
        }
        return id;
    }

    private static String in(Connection connection, String sql) throws SQLException {
        try (ShardContext.Scope scope = ShardContext.open(SHARD);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }
}
