package io.github.shardedid.benchmarks.servers;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** A Redis server of a run, on a port of its own, if this machine has one installed. */
public final class RedisServer implements AutoCloseable {
    private static final String PROGRAM = "redis-server";
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final Pattern VERSION = Pattern.compile("redis_version:(\\S+)");

    private final Process process;
    private final int port;

    private RedisServer(Path program, String... settings) throws IOException {
        port = freePort();
        List<String> command = new ArrayList<>(
                List.of(program.toString(), "--bind", "127.0.0.1", "--port", Integer.toString(port), "--save", ""));
        command.addAll(List.of(settings));
        process = new ProcessBuilder(command)
                .directory(Files.createTempDirectory("sharded-id-redis").toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        awaitAnswer();
    }

    /** Starts one that writes nothing to the disk. */
    public static Optional<RedisServer> inMemory() throws IOException {
        return start("--appendonly", "no");
    }

    /** Starts one that logs each write, and forces its log to the disk every second. */
    public static Optional<RedisServer> logged() throws IOException {
        return start("--appendonly", "yes", "--appendfsync", "everysec");
    }

    private static Optional<RedisServer> start(String... settings) throws IOException {
        for (String directory : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
            Path program = Path.of(directory, PROGRAM);
            if (Files.isExecutable(program)) {
                return Optional.of(new RedisServer(program, settings));
            }
        }
        return Optional.empty();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void awaitAnswer() {
        long end = System.nanoTime() + TIMEOUT_NANOS;
        while (true) {
            try (Jedis client = connect()) {
                client.ping();
                return;
            } catch (JedisConnectionException e) {
                if (!process.isAlive() || System.nanoTime() > end) {
                    close();
                    throw e;
                }
                LockSupport.parkNanos(10_000_000);
            }
        }
    }

    public Jedis connect() {
        return new Jedis("127.0.0.1", port);
    }

    /** Its name and release. */
    public String nameAndVersion() {
        try (Jedis client = connect()) {
            Matcher version = VERSION.matcher(client.info("server"));
            return "Redis" + (version.find() ? " " + version.group(1) : "");
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
