package io.github.shardedid.test;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * The PostgreSQL that is installed on this machine, with {@code pg_dump} and {@code psql} of the same version: the embedded
 * binaries have neither, and a dump cannot be made by an older {@code pg_dump}.
 */
public final class InstalledPostgresServer implements PostgresServer {
    private static final List<Path> PLACES = List.of(Path.of("/usr/lib/postgresql"), Path.of("/opt/homebrew/opt"));

    private final Path binaries;
    private final Path data = DataDirectories.create();
    private final Thread atExit = new Thread(this::remove, "stop-" + data.getFileName());
    private final int port = FreePort.find();
    private Process process;

    /** Starts an empty server on the binaries of {@link #binaries()}. */
    public InstalledPostgresServer(Path binaries) {
        this.binaries = binaries;
        Runtime.getRuntime().addShutdownHook(atExit);
        run(command("initdb", "-D", directory(), "-U", username(), "--auth=trust", "-E", "UTF8"), null);
        process = launch();
    }

    /** Starts a server on a data directory, such as a base backup. It is copied. */
    public InstalledPostgresServer(Path binaries, Path base) {
        this.binaries = binaries;
        Runtime.getRuntime().addShutdownHook(atExit);
        run(List.of("cp", "-a", base.toString(), directory()), null);
        process = launch();
    }

    /** Where the programs of the newest installed version are; empty if some are missing. */
    public static Optional<Path> binaries() {
        return PLACES.stream()
                .flatMap(InstalledPostgresServer::versions)
                .map(version -> version.resolve("bin"))
                .filter(bin -> Stream.of("initdb", "postgres", "pg_dump", "pg_restore", "psql")
                        .allMatch(program -> Files.isExecutable(bin.resolve(program))))
                .max(Comparator.comparing(Path::toString));
    }

    private static Stream<Path> versions(Path place) {
        try {
            List<Path> found = new ArrayList<>();
            if (Files.isDirectory(place)) {
                try (Stream<Path> some = Files.list(place)) {
                    some.forEach(found::add);
                }
            }
            return found.stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Dumps a database of this server into an empty one of another, as {@code pg_dump | psql} does. */
    public void copy(String database, InstalledPostgresServer other, String into) {
        File dump = data.resolve("dump.sql").toFile();
        run(client("pg_dump", port, database), dump);
        List<String> restore = new ArrayList<>(client("psql", other.port, into));
        restore.addAll(List.of("-q", "-v", "ON_ERROR_STOP=1", "-o", "/dev/null", "-f", dump.toString()));
        run(restore, null);
    }

    /** Copies the data directory of the stopped server. */
    public void copyData(Path to) {
        run(List.of("cp", "-a", directory(), to.toString()), null);
    }

    /** Puts a copy in place of the data directory of the stopped server. */
    public void putBack(Path copy) {
        DataDirectories.delete(Path.of(directory()));
        run(List.of("cp", "-a", copy.toString(), directory()), null);
    }

    /** Runs a client program, such as {@code pg_restore}, on a database of this server; its output goes to the log. */
    public void client(String program, String database, String... arguments) {
        List<String> command = new ArrayList<>(client(program, port, ""));
        command.remove(command.size() - 1);
        command.addAll(List.of("-d", database));
        command.addAll(List.of(arguments));
        run(command, null);
    }

    private List<String> client(String program, int onPort, String database) {
        return List.of(
                binaries.resolve(program).toString(),
                "-h",
                "localhost",
                "-p",
                Integer.toString(onPort),
                "-U",
                username(),
                database);
    }

    private Process launch() {
        List<String> command = command(
                "postgres",
                "-D",
                directory(),
                "-p",
                Integer.toString(port),
                "-c",
                "unix_socket_directories=" + directory(),
                "-c",
                "fsync=off",
                "-c",
                "wal_level=logical",
                // Each new session would compile its first query of the catalogs, as embedded servers cannot.
                "-c",
                "jit=off",
                "-c",
                "max_wal_size=4GB");
        try {
            Process started = builder(command, null).start();
            Awaitility.await().ignoreExceptions().until(() -> {
                connect("postgres").close();
                return true;
            });
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String directory() {
        return data.resolve("data").toString();
    }

    /** The server refuses to run as root; so it gets to see another user. */
    private List<String> command(String program, String... arguments) {
        List<String> command = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(List.of("unshare", "-U"));
        }
        command.add(binaries.resolve(program).toString());
        command.addAll(List.of(arguments));
        return command;
    }

    private ProcessBuilder builder(List<String> command, @org.jspecify.annotations.Nullable File output) {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectError(
                        ProcessBuilder.Redirect.appendTo(data.resolve("log").toFile()));
        return builder.redirectOutput(
                output == null
                        ? ProcessBuilder.Redirect.appendTo(data.resolve("log").toFile())
                        : ProcessBuilder.Redirect.to(output));
    }

    private void run(List<String> command, @org.jspecify.annotations.Nullable File output) {
        try {
            Process started = builder(command, output).start();
            if (!started.waitFor(5, TimeUnit.MINUTES) || started.exitValue() != 0) {
                started.destroyForcibly();
                throw new IllegalStateException(command + ": " + Files.readString(data.resolve("log")));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public int port() {
        return port;
    }

    /** SIGTERM waits for sessions; SIGINT ends them. */
    @Override
    public void stop() {
        try {
            new ProcessBuilder("kill", "-QUIT", Long.toString(process.pid()))
                    .start()
                    .waitFor();
            process.waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void start() {
        process = launch();
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(atExit);
        remove();
    }

    private void remove() {
        stop();
        DataDirectories.delete(data);
    }
}
