package io.github.shardedid.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.shardedid.test.InstalledPostgresServer;
import io.github.shardedid.test.TestDatabase;
import java.io.IOException;
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
import org.postgresql.ds.PGSimpleDataSource;

/** Shard 1 alone is restored from the backups that operators have: of {@code pg_dump}, and a base backup with its WAL. */
@Tag("embedded-only")
@Tag("slow")
class RestoredBackupsIntegrationTests {
    private static final String ACCIDENT =
            "SET search_path = shard_0001; DELETE FROM likes; DELETE FROM photo; DELETE FROM note";

    @TempDir
    Path directory;

    private InstalledPostgresServer server;
    private MovingCluster cluster;

    @BeforeEach
    void start() {
        Optional<Path> binaries = InstalledPostgresServer.binaries();
        assumeTrue(binaries.isPresent(), "No PostgreSQL server with pg_dump and pg_restore is installed here");
        server = new InstalledPostgresServer(binaries.orElseThrow());
        cluster = new MovingCluster(server, server);
        cluster.fill(20);
    }

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void aDumpIsRestoredBesideTheClusterAndGivesItsRows() {
        List<String> rows = cluster.rows("pg1");
        String dump = directory.resolve("dump").toString();
        server.client("pg_dump", cluster.database("pg1").name(), "-Fc", "-f", dump);
        cluster.database("pg1").execute(ACCIDENT);
        TestDatabase beside = server.newDatabase();
        server.client("pg_restore", beside.name(), dump);

        cluster.mover().restore(1, beside.dataSource());

        assertThat(cluster.rows("pg1")).isEqualTo(rows);
    }

    @Test
    void aBaseBackupIsRecoveredToThePointBeforeTheAccidentAndGivesItsRows() throws IOException {
        Path archive = Files.createDirectory(directory.resolve("archive"));
        archiveTo(archive);
        Path base = directory.resolve("base");
        server.client("pg_basebackup", "dbname=postgres", "-D", base.toString(), "-c", "fast");
        cluster.fill(5);
        List<String> rows = cluster.rows("pg1");
        TestDatabase pg1 = cluster.database("pg1");
        pg1.query("SELECT pg_create_restore_point('before the accident')");
        pg1.execute(ACCIDENT);
        String last = pg1.query("SELECT pg_walfile_name(pg_switch_wal())").get(0);
        Awaitility.await().until(() -> Files.exists(archive.resolve(last)));
        Files.createFile(base.resolve("recovery.signal"));
        String settings = "restore_command = 'cp " + archive + "/%f %p'\nrecovery_target_name = 'before the accident'\n"
                + "recovery_target_action = promote\narchive_mode = off\n";
        Files.writeString(base.resolve("postgresql.auto.conf"), settings);

        try (InstalledPostgresServer beside =
                new InstalledPostgresServer(InstalledPostgresServer.binaries().orElseThrow(), base)) {
            PGSimpleDataSource backup = new PGSimpleDataSource();
            backup.setUrl("jdbc:postgresql://localhost:" + beside.port() + "/" + pg1.name());
            backup.setUser(beside.username());
            backup.setPassword(beside.password());
            Awaitility.await().untilAsserted(() -> cluster.mover().restore(1, backup));
        }

        assertThat(cluster.rows("pg1")).isEqualTo(rows);
        assertThat(cluster.states()).containsExactly("pg1 2 ACTIVE");
    }

    private void archiveTo(Path archive) {
        TestDatabase pg1 = cluster.database("pg1");
        pg1.execute("ALTER SYSTEM SET archive_mode = on");
        pg1.execute("ALTER SYSTEM SET archive_command = 'cp %p " + archive + "/%f'");
        server.stop();
        server.start();
    }
}
