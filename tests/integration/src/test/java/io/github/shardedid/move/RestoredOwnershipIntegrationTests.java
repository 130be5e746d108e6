package io.github.shardedid.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.provisioning.DatabaseShardMapSource;
import io.github.shardedid.routing.DatabaseUnavailableException;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.InstalledPostgresServer;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.UnownedShardException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Databases restored by {@code pg_dump} and {@code pg_restore} to what they were before, or during, a move of shard 1. */
@Tag("embedded-only")
class RestoredOwnershipIntegrationTests {
    private static final String RECOVER = "ShardMover.recover(1, pg2)";
    private static final String COPIES = "ShardMover.copies(1)";

    private static @Nullable InstalledPostgresServer server;

    @TempDir
    Path directory;

    private MovingCluster cluster;

    @BeforeAll
    static void start() {
        Optional<Path> binaries = InstalledPostgresServer.binaries();
        assumeTrue(binaries.isPresent(), "No PostgreSQL server with pg_dump and pg_restore is installed here");
        server = new InstalledPostgresServer(binaries.orElseThrow());
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void fill() {
        cluster = new MovingCluster(server(), server());
        cluster.fill(20);
    }

    @AfterEach
    void drop() {
        cluster.close();
    }

    private static InstalledPostgresServer server() {
        return Objects.requireNonNull(server);
    }

    private Path backUp(String database) {
        Path dump = directory.resolve(database);
        server().client("pg_dump", cluster.database(database).name(), "-Fc", "-f", dump.toString());
        return dump;
    }

    private void restore(String database, Path dump) {
        String name = cluster.database(database).name();
        try (Connection connection = server().connect("postgres");
                Statement statement = connection.createStatement()) {
            statement.execute("DROP DATABASE " + name + " WITH (FORCE)");
            statement.execute("CREATE DATABASE " + name);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        server().client("pg_restore", name, dump.toString());
    }

    private ShardMap map() {
        return new DatabaseShardMapSource(cluster.definition(), cluster.sources()).load();
    }

    private void insert(String database) {
        cluster.database(database)
                .execute("SET search_path = shard_0001; INSERT INTO photo (caption) VALUES ('later')");
    }

    private String newest(String database, String schema) {
        return cluster.database(database)
                .query("SELECT max(id) FROM " + schema + ".photo")
                .get(0);
    }

    @Test
    @Tag("quick")
    void aShardWhoseOwnerWasRestoredFromBeforeTheMoveHasNoOwnerUntilItsFencedCopyIsTaken() {
        List<String> rows = cluster.rows("pg1");
        Path dump = backUp("pg2");
        cluster.mover().moveOffline(1, "pg2");
        restore("pg2", dump);

        ShardMap map = map();

        assertThat(map.unownedShards()).containsExactly(1);
        assertThat(map.isFenced(1)).isFalse();
        assertThat(map.problems()).singleElement().asString().contains("shard 1", "pg1", "pg2", COPIES);
        assertThatThrownBy(() -> map.databaseOf(1))
                .isInstanceOf(UnownedShardException.class)
                .hasMessageContaining(COPIES);
        statementsFailAtOnce();
        assertThatThrownBy(() -> cluster.mover().move(1, "pg2"))
                .isInstanceOf(MoveRefusedException.class)
                .hasMessageContaining(COPIES);
        assertThat(cluster.mover().copies(1))
                .satisfiesExactly(
                        copy -> assertThat(copy).contains("pg1", "MOVED in generation 1", "shard_0001_fenced_1"),
                        copy -> assertThat(copy).contains("pg2", "not known", "no copy to take"));
        assertThatThrownBy(() -> cluster.mover().recover(1, "pg2"))
                .isInstanceOf(MoveRefusedException.class)
                .hasMessageContaining("no complete copy");

        cluster.mover().recover(1, "pg1");

        assertThat(cluster.states()).containsExactly("pg1 3 ACTIVE");
        assertThat(map().databaseOf(1)).isEqualTo("pg1");
        assertThat(map().problems()).isEmpty();
        assertThat(cluster.rows("pg1")).isEqualTo(rows);
        insert("pg1");
        assertThat(cluster.database("pg1")
                        .query("SELECT refused FROM shard_0001.lease_node(gen_random_uuid(), NULL, 64, 60000)"))
                .containsExactly("EARLIER_LEASES");
        cluster.provision();
        cluster.mover().moveOffline(1, "pg2");
        assertThat(cluster.states()).containsExactly("pg1 3 MOVED", "pg2 4 ACTIVE");
    }

    /** As both do, who comes first and who waits since the shard was on its way. */
    private void statementsFailAtOnce() {
        CurrentShardMap current =
                new CurrentShardMap(new DatabaseShardMapSource(cluster.definition(), cluster.sources()));
        RoutingDataSource routing = new RoutingDataSource(new Cluster(IdLayout.DEFAULT, current), cluster.sources());
        assertThatThrownBy(() -> {
                    try (ShardContext.Scope scope = ShardContext.open(1);
                            Connection connection = routing.getConnection();
                            Statement statement = connection.createStatement()) {
                        statement.execute("SELECT count(*) FROM photo");
                    }
                })
                .isInstanceOf(DatabaseUnavailableException.class)
                .hasMessageContaining(COPIES);
    }

    @Test
    void theOlderCopyOfARestoredSourceIsNamedAndFenced() {
        Path dump = backUp("pg1");
        cluster.mover().moveOffline(1, "pg2");
        insert("pg2");
        restore("pg1", dump);
        assertThat(map().databaseOf(1)).isEqualTo("pg2");
        assertThat(map().problems()).singleElement().asString().contains("pg1", "older copy", RECOVER);
        assertThatThrownBy(() -> cluster.mover().recover(1, "pg1"))
                .isInstanceOf(MoveRefusedException.class)
                .hasMessageContaining("database pg2 owns it");

        cluster.mover().recover(1, "pg2");

        fenced();
        restore("pg1", dump);
        cluster.provision();
        fenced();
    }

    private void fenced() {
        assertThat(cluster.states()).containsExactly("pg1 1 MOVED", "pg2 2 ACTIVE");
        assertThat(map().problems()).isEmpty();
        assertThat(cluster.database("pg1").query("SELECT count(*) FROM shard_0001_fenced_1.photo"))
                .containsExactly("20");
        assertThatThrownBy(() -> cluster.database("pg1").execute("DELETE FROM shard_0001_fenced_1.photo"))
                .hasStackTraceContaining("not the shard");
    }

    @Test
    void anOwnerThatWasRestoredFromAnEarlierTurnIsNotServedAndMayBeTakenByChoice() {
        cluster.mover().moveOffline(1, "pg2");
        Path dump = backUp("pg2");
        cluster.mover().moveOffline(1, "pg1");
        insert("pg1");
        cluster.mover().moveOffline(1, "pg2");
        restore("pg2", dump);

        assertThat(cluster.states()).containsExactly("pg1 3 MOVED", "pg2 2 ACTIVE");
        assertThat(map().unownedShards()).containsExactly(1);
        Map<String, DataSource> halved = new TreeMap<>(cluster.sources());
        halved.put("pg1", unreachable());
        assertThatThrownBy(() -> cluster.mover(halved).recover(1, "pg2"))
                .isInstanceOf(MoveRefusedException.class)
                .hasMessageContainingAll("Database pg1 cannot be reached", "may own shard 1");

        String lost = newest("pg1", "shard_0001_fenced_3");
        cluster.mover().recover(1, "pg2");

        assertThat(cluster.states()).containsExactly("pg1 3 MOVED", "pg2 5 ACTIVE");
        assertThat(map().databaseOf(1)).isEqualTo("pg2");
        assertThat(cluster.database("pg2").query("SELECT pg_sequence_last_value('shard_0001.photo_id_seq') >= " + lost))
                .containsExactly("t");
    }

    private static DataSource unreachable() {
        org.postgresql.ds.PGSimpleDataSource source = new org.postgresql.ds.PGSimpleDataSource();
        source.setUrl("jdbc:postgresql://localhost:1/nowhere");
        return source;
    }

    @Test
    void backupsThatWereTakenDuringAMoveAreRecoveredFrom() {
        Path[] dumps = new Path[2];
        MoveOptions options = cluster.options().withListener(progress -> {
            if (progress.step() == MoveStep.FENCE && dumps[0] == null) {
                dumps[0] = backUp("pg1");
                dumps[1] = backUp("pg2");
            }
        });
        cluster.mover(options).moveOffline(1, "pg2");
        restore("pg1", dumps[0]);
        assertThat(cluster.states()).containsExactly("pg1 1 MOVING", "pg2 2 ACTIVE");
        assertThatThrownBy(() -> cluster.mover().resume(1))
                .isInstanceOf(MoveRefusedException.class)
                .hasMessageContaining(RECOVER);

        cluster.mover().recover(1, "pg2");

        assertThat(cluster.states()).containsExactly("pg1 1 MOVED", "pg2 2 ACTIVE");
        assertThat(cluster.mover().moves()).extracting(Move::step).containsExactly(MoveStep.ABORTED);
        restore("pg2", dumps[1]);
        assertThat(cluster.states()).containsExactly("pg1 1 MOVED", "pg2 2 RECEIVING");
        assertThat(map().unownedShards()).containsExactly(1);
        assertThatThrownBy(() -> cluster.mover().recover(1, "pg2"))
                .isInstanceOf(MoveRefusedException.class)
                .hasMessageContaining("no complete copy");
        cluster.mover().recover(1, "pg1");
        assertThat(cluster.states()).containsExactly("pg1 3 ACTIVE", "pg2 2 RECEIVING");
        assertThat(map().databaseOf(1)).isEqualTo("pg1");
    }
}
