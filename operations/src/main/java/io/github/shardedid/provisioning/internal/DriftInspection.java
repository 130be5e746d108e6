package io.github.shardedid.provisioning.internal;

import io.github.shardedid.operations.internal.Batches;
import io.github.shardedid.operations.internal.Inquiry.Answers;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.StoredShard;
import io.github.shardedid.operations.internal.StructureComparison;
import io.github.shardedid.operations.internal.Transaction;
import io.github.shardedid.provisioning.DriftReport;
import io.github.shardedid.provisioning.ShardStatus;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Compares all shards of a cluster with each other. The structure that most shards have is taken as the right one. */
final class DriftInspection {
    private static final int PER_STATEMENT = 50;
    private static final String TABLES =
            "SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                    + " WHERE c.relname = ? AND c.relkind = 'r'";

    private final EveryDatabase databases;
    private final @Nullable String fingerprint;
    private final SchemaMigrations migrations;
    private final Duration longest;

    /** Waits for a database for so long, or, if that is zero, without end. */
    DriftInspection(
            EveryDatabase databases, @Nullable String fingerprint, SchemaMigrations migrations, Duration longest) {
        this.databases = databases;
        this.fingerprint = fingerprint;
        this.migrations = migrations;
        this.longest = longest;
    }

    /**
     * What a shard's history of scripts says.
     *
     * @param version of the last versioned script that succeeded, or the last change set; or null
     * @param failed scripts; Liquibase stores none
     */
    private record Standing(@Nullable String version, List<String> failed) {
        static final Standing NONE = new Standing(null, List.of());
    }

    private record Inspected(
            StoredShard row,
            String database,
            int major,
            Standing history,
            Map<String, Map<String, String>> structure) {}

    /** Reads and compares the shards of all databases. */
    DriftReport report() {
        int lowest = databases
                .run(longest, (database, connection) -> connection.getMetaData().getDatabaseMajorVersion())
                .results()
                .values()
                .stream()
                .min(Comparator.naturalOrder())
                .orElse(0);
        Answers<List<Inspected>> answers =
                databases.runClosing(longest, (database, connection) -> look(database, connection, lowest));
        List<Inspected> inspected = answers.results().values().stream()
                .flatMap(List::stream)
                .sorted(Comparator.comparingInt(one -> one.row().shard()))
                .toList();
        Map<Map<String, Map<String, String>>, List<Inspected>> alike =
                inspected.stream().collect(Collectors.groupingBy(Inspected::structure));
        Map<Map<String, Map<String, String>>, List<String>> differences = new HashMap<>();
        alike.values().stream()
                .max(Comparator.comparingInt(List::size))
                .map(some -> some.get(0))
                .ifPresent(usual -> alike.forEach(
                        (structure, some) -> differences.put(structure, differences(usual, some.get(0)))));
        return new DriftReport(
                inspected.stream()
                        .map(one -> status(one, differences.getOrDefault(one.structure(), List.of())))
                        .toList(),
                answers.unreachable());
    }

    private static List<String> differences(Inspected usual, Inspected other) {
        return StructureComparison.between(
                new StructureComparison.Side(usual.structure(), "in most shards"),
                new StructureComparison.Side(other.structure(), "here"),
                usual.major() != other.major());
    }

    private List<Inspected> look(String database, Connection connection, int lowestMajor) throws SQLException {
        List<StoredShard> served = Transaction.read(connection, () -> StoredShard.readAll(connection)).stream()
                .filter(shard -> shard.served() && shard.schemaExists())
                .toList();
        List<Integer> numbers = served.stream().map(StoredShard::shard).toList();
        Map<Integer, Standing> histories = Transaction.read(connection, () -> histories(connection, numbers));
        int major = connection.getMetaData().getDatabaseMajorVersion();
        // Most are alike: each is kept once.
        Map<Map<String, Map<String, String>>, Map<String, Map<String, String>>> known = new HashMap<>();
        return Transaction.read(connection, () -> {
            Sql.execute(connection, "SET LOCAL jit = off");
            List<Inspected> inspected = new ArrayList<>();
            for (StoredShard shard : served) {
                Map<String, Map<String, String>> structure =
                        StructureComparison.ofShard(connection, shard.shard(), lowestMajor);
                Map<String, Map<String, String>> same = known.putIfAbsent(structure, structure);
                inspected.add(new Inspected(
                        shard,
                        database,
                        major,
                        histories.getOrDefault(shard.shard(), Standing.NONE),
                        same == null ? structure : same));
            }
            return inspected;
        });
    }

    private ShardStatus status(Inspected inspected, List<String> differences) {
        return new ShardStatus(
                inspected.row().shard(),
                inspected.database(),
                inspected.row().state(),
                inspected.history().version(),
                Objects.equals(fingerprint, inspected.row().migrations()),
                inspected.history().failed(),
                differences);
    }

    /** Reads the histories of shards, fifty per statement; without those that have no table. */
    private Map<Integer, Standing> histories(Connection connection, List<Integer> shards) throws SQLException {
        Set<String> schemas = new HashSet<>(Sql.strings(connection, TABLES, migrations.historyTable()));
        List<Integer> there = shards.stream()
                .filter(shard -> schemas.contains(ShardSchema.nameOf(shard)))
                .toList();
        Map<Integer, Standing> histories = new TreeMap<>();
        for (List<Integer> some : Batches.of(there, PER_STATEMENT)) {
            String sql = some.stream()
                    .map(shard -> "SELECT " + shard + ", "
                            + migrations.standingSql(ShardSchema.nameOf(shard) + "." + migrations.historyTable()))
                    .collect(Collectors.joining(" UNION ALL "));
            histories.putAll(Sql.map(connection, sql, row -> Map.entry(row.getInt(1), standing(row))));
        }
        return histories;
    }

    private static Standing standing(ResultSet row) throws SQLException {
        String failed = row.getString(3);
        return new Standing(row.getString(2), failed == null ? List.of() : List.of(failed.split("\n", -1)));
    }
}
