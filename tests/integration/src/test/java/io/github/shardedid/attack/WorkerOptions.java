package io.github.shardedid.attack;

import io.github.shardedid.topology.ShardRanges;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a worker process is told on its command line.
 *
 * @param directory where it writes what it was given
 * @param number of the process, used once in an attack
 * @param seed of its random choices
 * @param lease of its JVM nodes
 * @param homes by the names of the databases
 */
record WorkerOptions(Path directory, int number, long seed, Duration lease, Map<String, Home> homes) {
    /** Threads per process that write a journal. */
    static final int THREADS = 8;

    private static final int FIXED = 4;
    private static final int PER_HOME = 5;

    /** Where a database is, and the shards that it has. */
    record Home(String url, String user, String password, ShardRanges shards) {}

    /** The number of a thread's journal. */
    int writer(int thread) {
        return number * THREADS + thread;
    }

    List<String> toArguments() {
        List<String> arguments = new ArrayList<>(List.of(
                directory.toString(), Integer.toString(number), Long.toString(seed), Long.toString(lease.toMillis())));
        homes.forEach((name, home) -> arguments.addAll(
                List.of(name, home.url(), home.user(), home.password(), String.valueOf(home.shards()))));
        return arguments;
    }

    static WorkerOptions parse(String... arguments) {
        Map<String, Home> homes = new LinkedHashMap<>();
        for (int i = FIXED; i < arguments.length; i += PER_HOME) {
            homes.put(
                    arguments[i],
                    new Home(
                            arguments[i + 1], arguments[i + 2], arguments[i + 3], ShardRanges.parse(arguments[i + 4])));
        }
        return new WorkerOptions(
                Path.of(arguments[0]),
                Integer.parseInt(arguments[1]),
                Long.parseLong(arguments[2]),
                Duration.ofMillis(Long.parseLong(arguments[3])),
                homes);
    }
}
