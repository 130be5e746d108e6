package io.github.shardedid.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.test.InstalledPostgresServer;
import io.github.shardedid.test.TestDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Restores on the server that the backup was made on, whose name and timeline say nothing of them. */
@Tag("embedded-only")
class RestoredLeasesIntegrationTests {
    private static final String SCHEMA = "shard_0001";

    private static @Nullable InstalledPostgresServer server;

    @TempDir
    Path directory;

    @BeforeAll
    static void start() {
        Optional<Path> binaries = InstalledPostgresServer.binaries();
        assumeTrue(binaries.isPresent(), "No PostgreSQL server with pg_dump and psql is installed on this machine");
        server = new InstalledPostgresServer(binaries.orElseThrow());
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    /** A backup, made before a lease is granted, and restored after it; answers with the restored database. */
    private enum Way {
        OTHER_DATABASE {
            @Override
            TestDatabase restore(TestDatabase origin, Path dump) {
                TestDatabase other = server().newDatabase();
                server().client("pg_restore", other.name(), "-j", "2", dump.toString());
                return other;
            }
        },
        CLEAN {
            @Override
            TestDatabase restore(TestDatabase origin, Path dump) {
                server().client("pg_restore", origin.name(), "--clean", "--if-exists", dump.toString());
                return origin;
            }
        },
        ONE_SCHEMA {
            @Override
            TestDatabase restore(TestDatabase origin, Path dump) {
                origin.execute("DROP SCHEMA " + SCHEMA + " CASCADE; CREATE SCHEMA " + SCHEMA);
                server().client("pg_restore", origin.name(), "-n", SCHEMA, dump.toString());
                return origin;
            }
        },
        ROWS_ALONE {
            @Override
            TestDatabase restore(TestDatabase origin, Path dump) {
                origin.execute("TRUNCATE " + SCHEMA + ".sharded_id_lease");
                server().client(
                                "pg_restore",
                                origin.name(),
                                "--data-only",
                                "-n",
                                SCHEMA,
                                "-t",
                                "sharded_id_lease",
                                dump.toString());
                return origin;
            }
        },
        CLONE {
            @Override
            void backUp(TestDatabase origin, Path dump) {
                inPostgres("CREATE DATABASE " + origin.name() + "_backup TEMPLATE " + origin.name());
            }

            @Override
            TestDatabase restore(TestDatabase origin, Path dump) {
                inPostgres("DROP DATABASE " + origin.name() + " WITH (FORCE)");
                inPostgres("ALTER DATABASE " + origin.name() + "_backup RENAME TO " + origin.name());
                return origin;
            }
        };

        void backUp(TestDatabase origin, Path dump) {
            server().client("pg_dump", origin.name(), "-Fc", "-f", dump.toString());
        }

        abstract TestDatabase restore(TestDatabase origin, Path dump);
    }

    private static InstalledPostgresServer server() {
        return java.util.Objects.requireNonNull(server);
    }

    private static void inPostgres(String sql) {
        try (Connection connection = server().connect("postgres");
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void noLeaseIsGrantedUntilThoseThatTheBackupDoesNotKnowMustHaveEnded(Way way) {
        TestDatabase database = IdCluster.on(server(), IdLayout.DEFAULT, 2).database();
        assertThat(lease(database)).as("before the backup").startsWith("node");
        Path dump = directory.resolve("dump");
        way.backUp(database, dump);
        assertThat(lease(database)).as("a backup disturbs nobody").startsWith("node");

        TestDatabase restored = way.restore(database, dump);

        assertThat(lease(restored)).isEqualTo("EARLIER_LEASES");
        assertThat(restored.queryLong("SELECT window_end - sharded_id.timestamp_of(clock_timestamp()) FROM " + SCHEMA
                        + ".sharded_id_lease WHERE node = -1"))
                .isBetween(200_000L, 300_000L);
        restored.execute("UPDATE " + SCHEMA
                + ".sharded_id_lease SET window_end = 0, server = sharded_id.lease_stamp() WHERE node = -1");
        assertThat(lease(restored)).as("when they have ended").startsWith("node");
    }

    private static String lease(TestDatabase database) {
        return database.query("SELECT coalesce(refused, 'node ' || node) FROM " + SCHEMA + ".lease_node('"
                        + UUID.randomUUID() + "', NULL, 64, 60000)")
                .get(0);
    }
}
