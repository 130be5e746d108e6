package io.github.shardedid.benchmarks;

import io.github.shardedid.topology.ShardSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** The memory of one server process that has inserted into all tables of all shards. */
final class BackendMemory {
    private BackendMemory() {}

    static void measure(Report report, Database database, int shards) throws SQLException, IOException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            String before = memory(connection);
            for (int shard = 0; shard < shards; shard++) {
                for (String table : ShardedDatabases.TABLES) {
                    statement.execute("INSERT INTO " + ShardSchema.nameOf(shard) + "." + table
                            + " (user_id, caption) VALUES (" + shard + ", 'a caption')");
                }
            }
            report.other(
                    "memory of a backend that has inserted into " + shards + " shards × "
                            + ShardedDatabases.TABLES.size() + " tables (before)",
                    "80 MB",
                    memory(connection) + " (" + before + ")");
        }
    }

    /** Its memory contexts, as PostgreSQL counts them, and its anonymous memory, as Linux does where it can be read. */
    private static String memory(Connection connection) throws SQLException, IOException {
        String contexts = Database.query(
                connection, "SELECT round(sum(total_bytes) / 1000000.0) || ' MB' FROM pg_backend_memory_contexts");
        Path process = Path.of("/proc", Database.query(connection, "SELECT pg_backend_pid()"), "smaps_rollup");
        if (!Database.embedded() || !Files.isReadable(process)) {
            return contexts + " in memory contexts";
        }
        for (String line : Files.readAllLines(process)) {
            if (line.startsWith("Anonymous:")) {
                long kibibytes = Long.parseLong(line.replaceAll("\\D", ""));
                return kibibytes * 1024 / 1_000_000 + " MB anonymous, " + contexts + " in memory contexts";
            }
        }
        return contexts + " in memory contexts";
    }
}
