package io.github.shardedid.test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.testcontainers.DockerClientFactory;

/**
 * Hands out servers of the kind that the system property {@value #KIND} names: {@code embedded} (the default) or
 * {@code testcontainers}. Shared servers start once per JVM and stop with it.
 */
public final class PostgresServers {
    static final String KIND = "sharded-id.test.postgres";

    /** Of servers that never stop, whose databases live for a moment. */
    private static final Map<String, String> SHORT_LIVED = Map.of("autovacuum", "off", "full_page_writes", "off");

    private static final List<PostgresServer> SHARED = new ArrayList<>();

    private PostgresServers() {}

    /** Whether servers of the kind asked for can be had on this machine. */
    static boolean available() {
        return !containers() || DockerClientFactory.instance().isDockerAvailable();
    }

    /** The shared server with a number, 1 or more: servers of different numbers are different processes. */
    public static synchronized PostgresServer shared(int number) {
        while (SHARED.size() < number) {
            SHARED.add(containers() ? start() : start(SHORT_LIVED));
        }
        return SHARED.get(number - 1);
    }

    /** A server of the caller's own, which it may stop, and must close. */
    public static PostgresServer start() {
        return containers() ? new ContainerPostgresServer() : new EmbeddedPostgresServer();
    }

    /** An embedded server with settings that count more than those of other tests; the caller must close it. */
    public static PostgresServer start(Map<String, String> settings) {
        return new EmbeddedPostgresServer(settings);
    }

    /**
     * An embedded server of a release, 15 to 18, whose binaries {@code -Pfull} has copied from Maven Central; the caller must close it.
     */
    public static PostgresServer startRelease(int major) {
        return new EmbeddedPostgresServer((system, processor) -> binaries(major));
    }

    /** The archive in the jar; its name says for which system it is. */
    private static InputStream binaries(int major) throws IOException {
        try (JarFile jar = new JarFile("target/postgresql-releases/" + major + ".jar")) {
            JarEntry archive = jar.stream()
                    .filter(entry -> entry.getName().endsWith(".txz"))
                    .findFirst()
                    .orElseThrow();
            return new ByteArrayInputStream(jar.getInputStream(archive).readAllBytes());
        }
    }

    /** A hot standby of an embedded server, streaming asynchronously; the caller must close it. */
    public static PostgresServer standbyOf(PostgresServer server) {
        if (server instanceof EmbeddedPostgresServer embedded) {
            return embedded.standby();
        }
        throw new IllegalArgumentException("Standbys are made of embedded servers only");
    }

    static boolean containers() {
        return System.getProperty(KIND, "embedded").equals("testcontainers");
    }
}
