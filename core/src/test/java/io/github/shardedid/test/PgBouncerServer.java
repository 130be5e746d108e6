package io.github.shardedid.test;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** A PgBouncer in transaction mode in front of a server, with its defaults, if it is installed on this machine. */
public final class PgBouncerServer implements AutoCloseable {
    private static final Path PROGRAM = Path.of(System.getProperty("sharded-id.test.pgbouncer", "/usr/sbin/pgbouncer"));
    private final int port = FreePort.find();
    private final Process process;

    /** Starts one that keeps so many sessions for each database and user. */
    public PgBouncerServer(PostgresServer server, int poolSize) {
        try {
            Path directory = Files.createTempDirectory("pgbouncer");
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
            Path users = Files.writeString(directory.resolve("users.txt"), '"' + server.username() + "\" \"\"\n");
            Path settings = Files.writeString(
                    directory.resolve("pgbouncer.ini"), settings(server.port(), port, users, poolSize));
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

    /** The settings of the documentation, with addresses of this machine, and without passwords. */
    private static String settings(int server, int port, Path users, int poolSize) throws IOException {
        try (InputStream documented = PgBouncerServer.class.getResourceAsStream("/documented/pgbouncer.ini")) {
            return new String(Objects.requireNonNull(documented).readAllBytes(), StandardCharsets.UTF_8)
                    .replaceAll("(?m)^shop = .*", "* = host=127.0.0.1 port=" + server)
                    .replaceAll("(?m)^listen_addr = .*", "listen_addr = 127.0.0.1\nunix_socket_dir =")
                    .replaceAll("(?m)^listen_port = .*", "listen_port = " + port)
                    .replaceAll("(?m)^auth_type = .*", "auth_type = trust")
                    .replaceAll("(?m)^auth_file = .*", "auth_file = " + users)
                    .replaceAll("(?m)^default_pool_size = .*", "default_pool_size = " + poolSize);
        }
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
