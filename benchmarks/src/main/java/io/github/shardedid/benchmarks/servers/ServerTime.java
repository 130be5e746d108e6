package io.github.shardedid.benchmarks.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.TreeSet;

/**
 * The processor time that the processes of embedded servers have taken which still run. Linux tells it in nanoseconds.
 *
 * @param servers the first process of each
 */
public record ServerTime(Set<Long> servers) {
    /** Of the servers of these databases; of none if they are elsewhere. */
    public static ServerTime of(Database... databases) throws SQLException {
        Set<Long> servers = new TreeSet<>();
        for (Database database : databases) {
            try (Connection connection = database.connect()) {
                long backend = (long) Database.number(connection, "SELECT pg_backend_pid()");
                if (Database.embedded() && Files.isReadable(timeOf(backend))) {
                    ProcessHandle.of(backend)
                            .flatMap(ProcessHandle::parent)
                            .map(ProcessHandle::pid)
                            .ifPresent(servers::add);
                }
            }
        }
        return new ServerTime(servers);
    }

    /** Whether it can be had. */
    public boolean isKnown() {
        return !servers.isEmpty();
    }

    /** Of all processes together, in nanoseconds. */
    public long nanos() {
        return servers.stream()
                .flatMap(server -> ProcessHandle.of(server).stream())
                .flatMap(ProcessHandle::children)
                .mapToLong(child -> nanos(child.pid()))
                .sum();
    }

    private static Path timeOf(long process) {
        return Path.of("/proc", Long.toString(process), "schedstat");
    }

    private static long nanos(long process) {
        try {
            String times = Files.readString(timeOf(process));
            return Long.parseLong(times.substring(0, times.indexOf(' ')));
        } catch (IOException e) {
            return 0; // It has ended meanwhile.
        }
    }
}
