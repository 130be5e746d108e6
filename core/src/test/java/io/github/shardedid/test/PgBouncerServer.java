package io.github.shardedid.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** A PgBouncer in transaction mode in front of a server, with its defaults, if it is installed on this machine. */
public final class PgBouncerServer implements AutoCloseable {
    private static final Path PROGRAM = Path.of(System.getProperty("sharded-id.test.pgbouncer", "/usr/sbin/pgbouncer"));
    private static final String SETTINGS =
            """
            [databases]
            * = host=127.0.0.1 port=%d
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = %d
            unix_socket_dir =
            auth_type = trust
            auth_file = %s
            pool_mode = transaction
            default_pool_size = %d
            """;

    private final int port;
    private final Process process;

    /** Starts one that keeps so many sessions for each database and user. */
    public PgBouncerServer(PostgresServer server, int poolSize) {
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try {
            Path directory = Files.createTempDirectory("pgbouncer");
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
            Path users = Files.writeString(directory.resolve("users.txt"), '"' + server.username() + "\" \"\"\n");
            Path settings = Files.writeString(
                    directory.resolve("pgbouncer.ini"), SETTINGS.formatted(server.port(), port, users, poolSize));
            List<String> command = new ArrayList<>(List.of(PROGRAM.toString(), "-q", settings.toString()));
            if (System.getProperty("user.name").equals("root")) {
                command.addAll(1, List.of("-u", "nobody"));
            }
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("log").toFile())
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Awaitility.await().until(this::listens);
    }

    /** Whether it is installed. */
    public static boolean isInstalled() {
        return Files.isExecutable(PROGRAM);
    }

    private boolean listens() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    /** A URL of a database behind it. */
    public String url(String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
    }

    @Override
    public void close() {
        process.destroy();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
