package io.github.shardedid.benchmarks.jpa;

import io.github.shardedid.benchmarks.measure.Extent;
import io.github.shardedid.benchmarks.measure.Rounds;
import io.github.shardedid.benchmarks.measure.Section;
import io.github.shardedid.benchmarks.servers.Database;
import io.github.shardedid.benchmarks.servers.ShardedDatabases;
import io.github.shardedid.hibernate.KeyRows;
import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.ShardSchema;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Table;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.hibernate.SessionFactory;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/** The rows of one key: what counts, exports, restores and erases them, beside plain SQL on their only table. */
public final class RowsFigures {
    private static final int ROWS = 200_000;
    private static final double MICROS = 1_000;
    private static final String OURS = "ours";
    private static final String SQL = "SQL";

    private final Connection connection;
    private final KeyRows rows;
    private final String schema;
    private final long user;
    private final int count;
    private final Path file;

    /** The key. */
    @Entity
    @Table(name = "photo")
    static class Owner {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @Column(name = "user_id")
        long userId;
    }

    /** What lives with it. */
    @Entity
    @Table(name = "remark")
    static class Owned {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @ShardKey
        @ManyToOne
        @JoinColumn(name = "user_id")
        @Nullable
        Owner owner;

        @Nullable
        String caption;
    }

    private RowsFigures(Connection connection, SessionFactory sessions, Cluster cluster, int count, Path file) {
        this.connection = connection;
        this.rows = KeyRows.of(sessions).orElseThrow();
        this.count = count;
        this.file = file;
        this.user = sessions.fromTransaction(session -> {
            Owner owner = new Owner();
            session.persist(owner);
            return Objects.requireNonNull(owner.id);
        });
        this.schema = ShardSchema.nameOf(cluster.shardOf(user));
    }

    /** Compares them, on one database without a network. */
    public static void measure(Extent extent, Section section) throws Exception {
        Database database = Database.create(1);
        Path file = Files.createTempFile("rows", ".jsonl");
        try (ShardedDatabases databases = ShardedDatabases.withTables(IdLayout.DEFAULT, 2, database);
                SessionFactory sessions = Sessions.of(databases.dataSource(), Owner.class, Owned.class);
                Connection connection = database.connect()) {
            new RowsFigures(connection, sessions, databases.dataSource().cluster(), extent.of(ROWS), file)
                    .compare(extent, section);
        } finally {
            Files.delete(file);
        }
    }

    private void compare(Extent extent, Section section) throws Exception {
        Database.execute(connection, "CREATE INDEX ON " + schema + ".remark (user_id)");
        fill();
        note(section, "count", Rounds.run(extent.rounds(), ways(this::countOurs, this::countBySql)));
        note(section, "export to a file", Rounds.run(extent.rounds(), ways(this::exportOurs, this::exportBySql)));
        Rounds erased = new Rounds();
        Rounds restored = new Rounds();
        for (int i = 0; i < extent.rounds(); i++) {
            erased.add(OURS, micros(() -> rows.erase(Owner.class, user)));
            restored.add(OURS, micros(this::restoreOurs));
            erased.add(SQL, micros(this::eraseBySql));
            restored.add(SQL, micros(this::fill));
        }
        note(section, "erase", erased);
        note(section, "restore from a file (SQL: `INSERT … SELECT`)", restored);
    }

    private void note(Section section, String what, Rounds measured) {
        section.ratio(what, null, measured, OURS, SQL, "µs for each row");
        section.raw(what, measured);
    }

    private Map<String, Rounds.Measurement> ways(Work ours, Work sql) {
        Map<String, Rounds.Measurement> ways = new LinkedHashMap<>();
        ways.put(OURS, () -> micros(ours));
        ways.put(SQL, () -> micros(sql));
        return ways;
    }

    @FunctionalInterface
    private interface Work {
        void run() throws SQLException, IOException;
    }

    private double micros(Work work) throws SQLException, IOException {
        long begin = System.nanoTime();
        work.run();
        return (System.nanoTime() - begin) / MICROS / count;
    }

    private void fill() throws SQLException {
        Database.execute(
                connection,
                "INSERT INTO " + schema + ".remark (user_id, caption) SELECT " + user
                        + ", 'A remark of some words, number ' || i FROM generate_series(1, " + count + ") i");
    }

    private void countOurs() {
        if (rows.count(Owner.class, user).rows() != count + 1) {
            throw new IllegalStateException("Other rows were counted than exist.");
        }
    }

    private void countBySql() throws SQLException {
        Database.query(connection, "SELECT count(*) FROM " + schema + ".remark WHERE user_id = " + user);
    }

    private void exportOurs() throws IOException {
        try (BufferedWriter writer = Files.newBufferedWriter(file)) {
            rows.export(Owner.class, user, writer);
        }
    }

    private void exportBySql() throws SQLException, IOException {
        try (BufferedWriter writer = Files.newBufferedWriter(file.resolveSibling(file.getFileName() + ".sql"))) {
            connection
                    .unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyOut(
                            "COPY (SELECT row_to_json(r) FROM " + schema + ".remark r WHERE user_id = " + user
                                    + ") TO STDOUT",
                            writer);
        } finally {
            Files.delete(file.resolveSibling(file.getFileName() + ".sql"));
        }
    }

    private void restoreOurs() {
        try (var reader = Files.newBufferedReader(file)) {
            rows.restore(reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void eraseBySql() throws SQLException {
        Database.execute(connection, "DELETE FROM " + schema + ".remark WHERE user_id = " + user);
    }
}
