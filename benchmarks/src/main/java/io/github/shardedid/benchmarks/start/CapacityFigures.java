package io.github.shardedid.benchmarks.start;

import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.benchmarks.measure.Extent;
import io.github.shardedid.benchmarks.measure.Section;
import io.github.shardedid.benchmarks.servers.Database;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.topology.ShardRanges;
import io.github.shardedid.topology.ShardSchema;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/** What shards × tables cost a server: the time to create them, catalogs, and the memory of a backend that has used all of them. */
public final class CapacityFigures {
    private static final List<Size> SIZES = List.of(
            new Size(256, 5),
            new Size(1_000, 5),
            new Size(256, 20),
            new Size(50, 100),
            new Size(2_000, 5),
            new Size(1_000, 20));

    /** The driver keeps fewer than 4,096 statements of a connection. */
    private static final int KEPT = 4_000;
    /** Five until the driver prepares a statement, five until the server keeps its plan, and some more. */
    private static final int UNTIL_KEPT = 12;

    private final Size size;
    private final Database database;

    private CapacityFigures(Size size, Database database) {
        this.size = size;
        this.database = database;
    }

    /** A cluster on one database. */
    record Size(int shards, int tables) {
        int allTables() {
            return shards * tables;
        }

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%,d shards × %d tables = %,d tables", shards, tables, shards * tables);
        }
    }

    /** Measures a list of sizes. */
    public static void measure(Extent extent, Section section) throws Exception {
        for (Size size : extent.quick() ? List.of(new Size(extent.shards(), 2)) : SIZES) {
            new CapacityFigures(size, Database.create(1)).measure(section);
        }
    }

    private void measure(Section section) throws Exception {
        Path scripts = TableScript.write(size.tables());
        double created = processorSeconds(scripts);
        double upToDate = processorSeconds(scripts);
        section.other(
                size + ": processor time of the first start's provisioning (of a check that all is up to date)",
                "–",
                String.format(Locale.ROOT, "%.1f s (%.2f s)", created, upToDate));
        try (Connection connection = database.connect()) {
            double catalogs = megabytes(
                    connection,
                    "SELECT sum(pg_total_relation_size(oid)) FROM pg_class"
                            + " WHERE relnamespace = 'pg_catalog'::regnamespace AND NOT relisshared");
            double files = megabytes(connection, "SELECT pg_database_size(current_database())");
            section.other(
                    size + ": catalogs (the whole database, with empty tables)",
                    "–",
                    String.format(Locale.ROOT, "%.0f MB (%.0f MB)", catalogs, files));
        }
        memory(section);
    }

    private double processorSeconds(Path scripts) throws Exception {
        try (ProcessorTime time = ProcessorTime.of(database);
                HikariDataSource pool = database.pool("capacity")) {
            ClusterDefinition definition = new ClusterDefinition(
                    IdLayout.DEFAULT,
                    size.shards(),
                    Map.of(
                            "pg1",
                            ShardRanges.of(IntStream.range(0, size.shards()).toArray())));
            new Provisioner(
                            definition,
                            Map.of("pg1", pool),
                            ShardMigrations.at("filesystem:" + scripts).withReplay(true))
                    .provision();
            return time.seconds();
        }
    }

    private void memory(Section section) throws SQLException {
        section.other(
                size + ": memory of a backend that has selected from all (inserted into all as well)",
                "–",
                selectedAndInserted());
        section.other(
                size + ": memory of a backend that keeps the plans of "
                        + String.format(Locale.ROOT, "%,d", Math.min(KEPT, size.allTables())) + " selects by id",
                "–",
                kept());
    }

    private String selectedAndInserted() throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            for (String table : all()) {
                statement.execute("SELECT caption FROM " + table + " WHERE id = 1");
            }
            double selected = ofBackend(connection);
            for (String table : all()) {
                statement.execute("INSERT INTO " + table + " (user_id, caption) VALUES (1, 'a caption')");
            }
            return String.format(Locale.ROOT, "%.1f MB (%.1f MB)", selected, ofBackend(connection));
        }
    }

    private String kept() throws SQLException {
        try (Connection connection = database.pool("kept").getConnection()) {
            for (String table : all().subList(0, Math.min(KEPT, size.allTables()))) {
                for (int i = 0; i < UNTIL_KEPT; i++) {
                    try (PreparedStatement query =
                            connection.prepareStatement("SELECT caption FROM " + table + " WHERE id = ?")) {
                        query.setLong(1, i);
                        query.executeQuery().close();
                    }
                }
            }
            return String.format(Locale.ROOT, "%.1f MB", ofBackend(connection));
        }
    }

    private List<String> all() {
        return IntStream.range(0, size.shards())
                .boxed()
                .flatMap(shard ->
                        TableScript.names(size.tables()).stream().map(table -> ShardSchema.nameOf(shard) + "." + table))
                .toList();
    }

    private static double ofBackend(Connection connection) throws SQLException {
        return megabytes(connection, "SELECT sum(total_bytes) FROM pg_backend_memory_contexts");
    }

    private static double megabytes(Connection connection, String sql) throws SQLException {
        return Database.number(connection, sql) / 1e6;
    }
}
