package io.github.shardedid.benchmarks.start;

import com.sun.management.OperatingSystemMXBean;
import io.github.shardedid.benchmarks.servers.Database;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The processor time of this process and a server on this machine, which other load changes less than the time that passes. Of a
 * server elsewhere, or without Linux, only that of this process.
 */
final class ProcessorTime implements AutoCloseable {
    private static final double TICKS_OF_A_SECOND = 100;
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    /** Keeps its backend, from which the server's first process is found. */
    private final Connection connection;

    private final double before;

    private ProcessorTime(Connection connection) throws SQLException, IOException {
        this.connection = connection;
        LockSupport.parkNanos(
                TimeUnit.SECONDS.toNanos(1)); // So that backends that have just ended are counted by their parent.
        this.before = all();
    }

    static ProcessorTime of(Database database) throws SQLException, IOException {
        return new ProcessorTime(database.connect());
    }

    double seconds() throws SQLException, IOException {
        return all() - before;
    }

    private double all() throws SQLException, IOException {
        double own = SYSTEM.getProcessCpuTime() / 1e9;
        long backend = (long) Database.number(connection, "SELECT pg_backend_pid()");
        if (!Database.embedded() || !Files.isReadable(stat(backend))) {
            return own;
        }
        long server = Long.parseLong(fields(backend).get(1));
        long ticks = ticks(server, 11, 15);
        for (ProcessHandle child :
                ProcessHandle.of(server).orElseThrow().children().toList()) {
            ticks += ticks(child.pid(), 11, 13);
        }
        return own + ticks / TICKS_OF_A_SECOND;
    }

    private static Path stat(long process) {
        return Path.of("/proc", Long.toString(process), "stat");
    }

    /** Those after the name of the program: its state, its parent, and so on. */
    private static List<String> fields(long process) throws IOException {
        String line = Files.readString(stat(process));
        return Arrays.asList(line.substring(line.lastIndexOf(')') + 2).split(" ", -1));
    }

    /** In user and system mode, with children that have ended if four fields are asked for. */
    private static long ticks(long process, int from, int to) {
        try {
            return fields(process).subList(from, to).stream()
                    .mapToLong(Long::parseLong)
                    .sum();
        } catch (IOException e) {
            return 0; // It has ended meanwhile.
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
