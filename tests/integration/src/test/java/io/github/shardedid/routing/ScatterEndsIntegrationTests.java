package io.github.shardedid.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.test.OwnThread;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How a query over several shards ends early: by an error, a timeout, a cancel, a database that is down. */
@Tag("quick")
class ScatterEndsIntegrationTests extends ScatteredPhotos {
    private static final int LOCK = 4712;

    @Test
    void anErrorNamesDatabaseAndShards() {
        assertThatThrownBy(() -> cluster.all("select 1 / (p.id - 13) from sharded_id_shard.photo p"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("the shards 1, 3 of database pg2")
                .hasMessageContaining("division by zero")
                .extracting(e -> ((SQLException) e).getSQLState())
                .isEqualTo("22012");
    }

    @Test
    void aTimeoutEndsIt() throws SQLException {
        try (Connection connection = cluster.routed.getConnection();
                ShardContext.Scope scope = ShardContext.open(ShardSet.all());
                PreparedStatement statement =
                        connection.prepareStatement("select pg_sleep(600) from sharded_id_shard.photo p limit 1")) {
            statement.setQueryTimeout(1);
            assertThatThrownBy(statement::executeQuery)
                    .isInstanceOf(SQLException.class)
                    .extracting(e -> ((SQLException) e).getSQLState())
                    .isEqualTo("57014");
        }
    }

    @Test
    void aCancelFromAnotherThreadReachesAllDatabases() throws Exception {
        try (Connection connection = cluster.routed.getConnection();
                ShardContext.Scope scope = ShardContext.open(ShardSet.all());
                PreparedStatement statement =
                        connection.prepareStatement("select pg_sleep(600) from sharded_id_shard.photo p limit 1")) {
            CompletableFuture<Void> cancel = OwnThread.run(() -> {
                Awaitility.await().until(() -> sleeping() == 2);
                try {
                    statement.cancel();
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            assertThatThrownBy(statement::executeQuery)
                    .extracting(e -> ((SQLException) e).getSQLState())
                    .isEqualTo("57014");
            cancel.get(3, TimeUnit.MINUTES);
            Awaitility.await().until(() -> sleeping() == 0);
        }
    }

    @Test
    void anInterruptEndsItAndIsKept() throws Exception {
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                // The slow database is not the one that the caller's own thread asks.
                cluster.in(
                        ShardSet.all().perShard(),
                        "select case when p.id = 10 then pg_sleep(600) when p.id = 1 then pg_advisory_xact_lock_shared("
                                + LOCK + ") end from sharded_id_shard.photo p");
                interrupted.complete(false);
            } catch (SQLException e) {
                interrupted.complete("57014".equals(e.getSQLState())
                        && Thread.currentThread().isInterrupted());
            }
        });
        // The caller's own thread takes over what no other has begun: the lock keeps it away from the slow database.
        try (Connection held = holding(1)) {
            thread.start();
            Awaitility.await().until(() -> sleeping() == 1 && waiting("advisory") == 1);
            assertThat(held.isClosed()).isFalse();
        }
        thread.interrupt();
        assertThat(interrupted.get(3, TimeUnit.MINUTES)).isTrue();
        Awaitility.await().until(() -> cluster.taken() == 0);
    }

    @Test
    void anAbortEndsItAndGivesTheConnectionsBack() throws Exception {
        try (Connection connection = cluster.routed.getConnection();
                ShardContext.Scope scope = ShardContext.open(ShardSet.all());
                PreparedStatement statement =
                        connection.prepareStatement("select pg_sleep(600) from sharded_id_shard.photo p limit 1")) {
            CompletableFuture<Void> abort = OwnThread.run(() -> {
                Awaitility.await().until(() -> sleeping() == 2);
                try {
                    connection.abort(Runnable::run);
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            assertThatThrownBy(statement::executeQuery).isInstanceOf(SQLException.class);
            abort.get(3, TimeUnit.MINUTES);
        }
    }

    private long sleeping() {
        return waiting("PgSleep");
    }

    private long waiting(String event) {
        return cluster.databases.stream()
                .mapToLong(database -> database.queryLong("select count(*) from pg_stat_activity where state = 'active'"
                        + " and wait_event = '" + event + "' and datname = current_database()"))
                .sum();
    }

    /** A session that has the lock which a query waits for until the session is closed. */
    private Connection holding(int database) throws SQLException {
        Connection connection = cluster.databases.get(database).connect();
        try (Statement statement = connection.createStatement()) {
            statement.execute("select pg_advisory_lock(" + LOCK + ")");
        }
        return connection;
    }

    @Test
    void noMoreRunAtOnceThanAreAllowed() throws Exception {
        CompletableFuture<List<String>> first;
        try (Connection one = holding(0);
                Connection other = holding(1)) {
            first = OwnThread.supply(() -> {
                try {
                    return cluster.in(
                            ShardSet.all().perShard(),
                            "select case when p.id in (0, 1) then pg_advisory_xact_lock_shared(" + LOCK
                                    + ") end from sharded_id_shard.photo p");
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            Awaitility.await().until(() -> waiting("advisory") == 2);
            assertThatThrownBy(() -> cluster.all(IDS))
                    .hasMessageContaining("waited PT0.2S for its turn")
                    .hasMessageContaining("1 others are running");
            assertThat(one.isClosed() || other.isClosed()).isFalse();
        }
        assertThat(first.get(3, TimeUnit.MINUTES)).hasSize(36);
        assertThat(cluster.all(IDS)).hasSize(36);
    }

    @Test
    void closingTheConnectionClosesWhatIsOpen() throws SQLException {
        try (Connection connection = cluster.routed.getConnection();
                ShardContext.Scope scope = ShardContext.open(ShardSet.all())) {
            ResultSet rows = connection.prepareStatement(IDS).executeQuery();
            assertThat(rows.next()).isTrue();
            assertThat(cluster.taken()).isEqualTo(2);
        }
    }

    @Test
    void aDatabaseThatIsDownIsAnErrorOrMissing() throws SQLException {
        SortedSet<Integer> away;
        cluster.taps.get(1).cut();
        try {
            assertThatThrownBy(() -> cluster.all(IDS))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("without database pg2")
                    .hasMessageContaining("shards 1, 3, 5")
                    .hasMessageContaining("withoutUnreachable");
            MissingShards missing = new MissingShards();
            assertThat(cluster.in(
                            ShardSet.all().withoutUnreachable(missing),
                            IDS + " order by p.id desc fetch first 2 rows only"))
                    .containsExactly("54|", "52|");
            away = missing.shards();
            assertThat(missing.toString()).contains("1, 3, 5").contains("database pg2");
            assertThat(cluster.in(ShardSet.of(Set.of(2)), IDS)).hasSize(6);
        } finally {
            cluster.restore(1);
        }
        assertThat(away).containsExactly(1, 3, 5);
        MissingShards none = new MissingShards();
        assertThat(cluster.in(ShardSet.all().withoutUnreachable(none), IDS)).hasSize(36);
        assertThat(none.isEmpty()).isTrue();
    }
}
