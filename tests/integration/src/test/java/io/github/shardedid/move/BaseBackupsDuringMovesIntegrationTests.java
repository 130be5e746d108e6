package io.github.shardedid.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.shardedid.provisioning.DatabaseShardMapSource;
import io.github.shardedid.test.InstalledPostgresServer;
import io.github.shardedid.topology.ShardMap;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Base backups that were taken while shard 1 moved online from pg1 to pg2, and are restored when the move has ended. */
@Tag("embedded-only")
@Tag("slow")
class BaseBackupsDuringMovesIntegrationTests {
    private static final String RECOVER = "ShardMover.recover(1, pg2)";

    @TempDir
    Path directory;

    private Path binaries;
    private InstalledPostgresServer first;
    private InstalledPostgresServer second;
    private MovingCluster cluster;

    @BeforeEach
    void start() {
        Optional<Path> installed = InstalledPostgresServer.binaries();
        assumeTrue(installed.isPresent(), "No PostgreSQL server with pg_basebackup is installed here");
        binaries = installed.orElseThrow();
        first = new InstalledPostgresServer(binaries);
        second = new InstalledPostgresServer(binaries);
        cluster = new MovingCluster(first, second);
        cluster.fill(20);
    }

    @AfterEach
    void stop() {
        if (first != null) {
            first.close();
            second.close();
        }
    }

    /** Moves the shard, and backs a server up when the rows have been copied. */
    private Path moveAndBackUp(InstalledPostgresServer server) {
        Path base = directory.resolve("base");
        MoveOptions options = cluster.options().withListener(progress -> {
            if (progress.step() == MoveStep.CATCH_UP && !Files.exists(base)) {
                server.client("pg_basebackup", "dbname=postgres", "-D", base.toString(), "-c", "fast");
            }
        });
        cluster.mover(options).move(1, "pg2");
        cluster.database("pg2").execute("INSERT INTO shard_0001.photo (caption) VALUES ('later')");
        return base;
    }

    private static void restore(InstalledPostgresServer server, Path base) {
        server.stop();
        server.putBack(base);
        server.start();
    }

    private ShardMap map() {
        return new DatabaseShardMapSource(cluster.definition(), cluster.sources()).load();
    }

    @Test
    void aSourceInTheMiddleOfTheMoveIsNotServedAndIsFenced() {
        Path base = moveAndBackUp(first);
        List<String> rows = cluster.rows("pg2");
        restore(first, base);

        assertThat(cluster.states()).containsExactly("pg1 1 MOVING", "pg2 2 ACTIVE");
        assertThat(map().databaseOf(1)).isEqualTo("pg2");
        assertThat(map().problems()).singleElement().asString().contains("pg1", "older copy", RECOVER);
        assertThatThrownBy(() -> cluster.mover().resume(1))
                .isInstanceOf(MoveRefusedException.class)
                .hasMessageContaining(RECOVER);
        assertThatThrownBy(() -> cluster.mover().recover(1, "pg1"))
                .isInstanceOf(MoveRefusedException.class)
                .hasMessageContaining("database pg2 owns it");

        cluster.mover().recover(1, "pg2");

        assertThat(cluster.states()).containsExactly("pg1 1 MOVED", "pg2 2 ACTIVE");
        assertThat(map().problems()).isEmpty();
        assertThatThrownBy(() -> cluster.database("pg1").execute("DELETE FROM shard_0001_fenced_1.photo"))
                .hasStackTraceContaining("not the shard");
        cluster.mover().dropOldCopy(1, "pg1");
        assertThat(cluster.leftovers()).isEmpty();
        cluster.mover().move(1, "pg1");
        assertThat(cluster.rows("pg1")).isEqualTo(rows);
        assertThat(cluster.leftovers()).isEmpty();
    }

    @Test
    void aTargetInTheMiddleOfTheMoveOwnsNothingAndTheOldCopyIsTaken() {
        List<String> rows = cluster.rows("pg1");
        Path base = moveAndBackUp(second);
        restore(second, base);

        assertThat(cluster.states()).containsExactly("pg1 1 MOVED", "pg2 2 RECEIVING");
        assertThat(map().unownedShards()).containsExactly(1);
        assertThatThrownBy(() -> cluster.mover().recover(1, "pg2"))
                .isInstanceOf(MoveRefusedException.class)
                .hasMessageContaining("no complete copy");

        cluster.mover().recover(1, "pg1");

        assertThat(cluster.states()).containsExactly("pg1 3 ACTIVE", "pg2 2 RECEIVING");
        assertThat(cluster.rows("pg1")).isEqualTo(rows);
        cluster.mover().dropOldCopy(1, "pg2");
        assertThat(cluster.leftovers()).isEmpty();
        cluster.mover().move(1, "pg2");
        assertThat(cluster.rows("pg2")).isEqualTo(rows);
        assertThat(cluster.leftovers()).isEmpty();
    }

    @Test
    void aSourceThatIsRestoredBeforeTheMoveHasEndedKeepsTheShardByAnAbort() {
        Path base = directory.resolve("base");
        List<String> rows = cluster.rows("pg1");
        MoveOptions options = cluster.options().withListener(progress -> {
            if (progress.step() == MoveStep.CATCH_UP && !Files.exists(base)) {
                first.client("pg_basebackup", "dbname=postgres", "-D", base.toString(), "-c", "fast");
                first.stop();
            }
        });
        assertThatThrownBy(() -> cluster.mover(options).move(1, "pg2")).isInstanceOf(MoveUnfinishedException.class);
        first.putBack(base);
        first.start();

        assertThat(map().databaseOf(1)).isEqualTo("pg1");
        Awaitility.await().untilAsserted(() -> cluster.mover().abort(1));

        assertThat(cluster.states()).containsExactly("pg1 1 ACTIVE");
        assertThat(cluster.rows("pg1")).isEqualTo(rows);
        assertThat(cluster.leftovers()).isEmpty();
        cluster.mover().move(1, "pg2");
        assertThat(cluster.rows("pg2")).isEqualTo(rows);
    }
}
