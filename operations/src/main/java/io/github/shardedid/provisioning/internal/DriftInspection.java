package io.github.shardedid.provisioning.internal;

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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Compares all shards of a cluster with each other. The structure that most shards have is taken as the right one. */
record DriftInspection(
        EveryDatabase databases, @Nullable String fingerprint, SchemaMigrations migrations, int lowestMajor) {
    private static final String TABLES = Sql.load(DriftInspection.class, "schemas_with_table.sql");

    /**
     * An inspected shard.
     *
     * @param status given its differences
     */
    private record Inspected(
            Function<List<String>, ShardStatus> status, int major, Map<String, Map<String, String>> structure) {}

    /** Reads and compares the shards of all databases, except those that are unreachable already. */
    DriftReport report(Map<String, String> unreachable) {
        Answers<List<Inspected>> answers = databases.run(this::inspect);
        Map<Map<String, Map<String, String>>, List<Inspected>> alike = answers.results().values().stream()
                .flatMap(List::stream)
                .collect(Collectors.groupingBy(Inspected::structure));
        List<ShardStatus> shards = new ArrayList<>();
        alike.values().stream().max(Comparator.comparingInt(List::size)).ifPresent(most -> alike.values()
                .forEach(some -> {
                    List<String> differences = differences(most.get(0), some.get(0));
                    some.forEach(one -> shards.add(one.status.apply(differences)));
                }));
        shards.sort(Comparator.comparingInt(ShardStatus::shard));
        answers.unreachable().putAll(unreachable);
        return new DriftReport(shards, answers.unreachable());
    }

    private static List<String> differences(Inspected usual, Inspected other) {
        return new StructureComparison(
                        new StructureComparison.Side(usual.structure(), "in most shards"),
                        new StructureComparison.Side(other.structure(), "here"),
                        usual.major() != other.major())
                .differences();
    }

    private List<Inspected> inspect(String database, Connection connection) throws SQLException {
        int major = connection.getMetaData().getDatabaseMajorVersion();
        List<StoredShard> shards = Transaction.read(connection, () -> StoredShard.readAll(connection));
        Set<String> migrated = Transaction.read(
                connection, () -> Set.copyOf(Sql.strings(connection, TABLES, migrations.historyTable())));
        // Most are alike: each is kept once.
        Map<Map<String, Map<String, String>>, Map<String, Map<String, String>>> known = new HashMap<>();
        List<Inspected> inspected = new ArrayList<>();
        for (StoredShard shard : shards) {
            if (shard.served() && shard.schemaExists()) {
                Map<String, Map<String, String>> structure =
                        StructureComparison.ofShard(connection, shard.shard(), lowestMajor);
                Function<List<String>, ShardStatus> status = status(database, connection, shard, migrated);
                inspected.add(new Inspected(status, major, known.computeIfAbsent(structure, first -> structure)));
            }
        }
        return inspected;
    }

    private Function<List<String>, ShardStatus> status(
            String database, Connection connection, StoredShard shard, Set<String> migrated) throws SQLException {
        String schema = ShardSchema.nameOf(shard.shard());
        String sql = "SELECT " + migrations.standingSql(schema + "." + migrations.historyTable());
        List<@Nullable String> history = migrated.contains(schema)
                ? Transaction.read(connection, () -> Sql.rows(connection, sql)).get(0)
                : Arrays.asList(null, null);
        String failed = history.get(1);
        return differences -> new ShardStatus(
                shard.shard(),
                database,
                shard.state(),
                history.get(0),
                Objects.equals(fingerprint, shard.migrations()),
                failed == null ? List.of() : List.of(failed.split("\n", -1)),
                differences);
    }
}
