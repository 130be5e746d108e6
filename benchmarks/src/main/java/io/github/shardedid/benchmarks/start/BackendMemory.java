package io.github.shardedid.benchmarks.start;

import io.github.shardedid.benchmarks.measure.Extent;
import io.github.shardedid.benchmarks.measure.Section;
import io.github.shardedid.benchmarks.servers.Database;
import io.github.shardedid.benchmarks.servers.ShardedDatabases;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.topology.ShardSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** The memory of server processes that have used all tables of all shards, and the statements that release it. */
public final class BackendMemory {
    /** With those of {@link ShardedDatabases#TABLES}, five. */
    private static final List<String> MORE_TABLES = List.of("follower", "notice");

    private BackendMemory() {}

    /** Measures the memory of a backend. */
    public static void measure(Extent extent, Section section) throws SQLException, IOException {
        Database database = Database.create(1);
        ShardedDatabases.withTables(IdLayout.DEFAULT, extent.shards(), database).close();
        measure(section, database, extent.shards());
    }

    private static void measure(Section section, Database database, int shards) throws SQLException, IOException {
        inserted(section, database, shards, ShardedDatabases.TABLES, "80 MB");
        try (Connection connection = database.connect()) {
            addTables(connection, shards);
        }
        inserted(section, database, shards, tables(), "reported");
    }

    private static String extent(int shards, List<String> tables) {
        return shards + " shards × " + tables.size() + " tables";
    }

    /** All tables of a shard, after {@link #addTables}. */
    public static List<String> tables() {
        List<String> all = new ArrayList<>(ShardedDatabases.TABLES);
        all.addAll(MORE_TABLES);
        return all;
    }

    /** Adds two tables to each shard. */
    public static void addTables(Connection connection, int shards) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (int shard = 0; shard < shards; shard++) {
                for (String table : MORE_TABLES) {
                    String name = ShardSchema.nameOf(shard) + "." + table;
                    statement.execute(
                            "CREATE TABLE " + name + " (id bigserial PRIMARY KEY, user_id bigint, caption text)");
                }
            }
        }
    }

    private static String insert(int shard, String table) {
        return "INSERT INTO " + ShardSchema.nameOf(shard) + "." + table + " (user_id, caption) VALUES (";
    }

    /** Statements that are not prepared, and what becomes of their memory. */
    private static void inserted(Section section, Database database, int shards, List<String> tables, String goal)
            throws SQLException, IOException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            String before = memory(connection);
            for (int shard = 0; shard < shards; shard++) {
                for (String table : tables) {
                    statement.execute(insert(shard, table) + shard + ", 'a caption')");
                }
            }
            String after = memory(connection);
            section.other(
                    "memory of a backend that has inserted into " + extent(shards, tables) + " (before)",
                    goal,
                    after + " (" + before + ")");
            statement.execute("DISCARD ALL");
            section.other("the same after DISCARD ALL, " + extent(shards, tables), "reported", memory(connection));
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
