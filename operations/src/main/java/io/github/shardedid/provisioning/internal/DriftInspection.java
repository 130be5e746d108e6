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
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
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
record DriftInspection(
        EveryDatabase databases, @Nullable String fingerprint, SchemaMigrations migrations, Duration longest) {
    private static final int PER_STATEMENT = 50;
    private static final String TABLES =
            "SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                    + " WHERE c.relname = ? AND c.relkind = 'r'";

    /** A shard without its differences from the others. */
    private record Inspected(ShardStatus status, int major, Map<String, Map<String, String>> structure) {
        ShardStatus with(List<String> differences) {
            return new ShardStatus(
                    status.shard(),
                    status.database(),
                    status.state(),
                    status.version(),
                    status.upToDate(),
                    status.failedScripts(),
                    differences);
        }
    }

    /** Reads and compares the shards of all databases. Waits for a database for so long. */
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
        Map<Map<String, Map<String, String>>, List<Inspected>> alike = answers.results().values().stream()
                .flatMap(List::stream)
                .collect(Collectors.groupingBy(Inspected::structure));
        List<ShardStatus> shards = new ArrayList<>();
        alike.values().stream().max(Comparator.comparingInt(List::size)).ifPresent(most -> alike.values()
                .forEach(some -> {
                    List<String> differences = differences(most.get(0), some.get(0));
                    some.forEach(one -> shards.add(one.with(differences)));
                }));
        shards.sort(Comparator.comparingInt(ShardStatus::shard));
        return new DriftReport(shards, answers.unreachable());
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
        Map<Integer, List<@Nullable String>> histories =
                Transaction.read(connection, () -> histories(connection, served));
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
                List<@Nullable String> history = histories.getOrDefault(shard.shard(), Arrays.asList(null, null));
                String failed = history.get(1);
                ShardStatus status = new ShardStatus(
                        shard.shard(),
                        database,
                        shard.state(),
                        history.get(0),
                        Objects.equals(fingerprint, shard.migrations()),
                        failed == null ? List.of() : List.of(failed.split("\n", -1)),
                        List.of());
                inspected.add(new Inspected(status, major, same == null ? structure : same));
            }
            return inspected;
        });
    }

    /** Reads the histories of shards, fifty per statement; without those that have no table. A version, and failed scripts. */
    private Map<Integer, List<@Nullable String>> histories(Connection connection, List<StoredShard> shards)
            throws SQLException {
        Set<String> schemas = new HashSet<>(Sql.strings(connection, TABLES, migrations.historyTable()));
        List<Integer> there = shards.stream()
                .map(StoredShard::shard)
                .filter(shard -> schemas.contains(ShardSchema.nameOf(shard)))
                .toList();
        Map<Integer, List<@Nullable String>> histories = new TreeMap<>();
        for (List<Integer> some : Batches.of(there, PER_STATEMENT)) {
            String sql = some.stream()
                    .map(shard -> "SELECT " + shard + ", "
                            + migrations.standingSql(ShardSchema.nameOf(shard) + "." + migrations.historyTable()))
                    .collect(Collectors.joining(" UNION ALL "));
            histories.putAll(Sql.map(
                    connection,
                    sql,
                    row -> Map.entry(row.getInt(1), Arrays.asList(row.getString(2), row.getString(3)))));
        }
        return histories;
    }
}
