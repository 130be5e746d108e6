package io.github.shardedid.provisioning.internal.inspection;

import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.Transaction;
import io.github.shardedid.operations.internal.schema.StoredShard;
import io.github.shardedid.operations.internal.structure.StructureComparison;
import io.github.shardedid.operations.internal.structure.StructureRead;
import io.github.shardedid.provisioning.drift.DriftReport;
import io.github.shardedid.provisioning.drift.ShardStatus;
import io.github.shardedid.provisioning.internal.inspection.ShardHistories.Standing;
import io.github.shardedid.provisioning.internal.migration.SchemaMigrations.History;
import io.github.shardedid.provisioning.internal.parallel.EveryDatabase;
import io.github.shardedid.provisioning.internal.parallel.EveryDatabase.Answers;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Compares all shards of a cluster with each other. The structure that most shards have is taken as the right one. */
public final class DriftInspection {
    private final EveryDatabase databases;
    private final @Nullable String fingerprint;
    private final History history;
    private final Duration longest;

    /** Waits for a database for so long, or, if that is zero, without end. */
    public DriftInspection(EveryDatabase databases, @Nullable String fingerprint, History history, Duration longest) {
        this.databases = databases;
        this.fingerprint = fingerprint;
        this.history = history;
        this.longest = longest;
    }

    private record Inspected(
            StoredShard row,
            String database,
            int major,
            Standing history,
            Map<String, Map<String, String>> structure) {}

    public DriftReport report() {
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
        Map<Integer, Standing> histories =
                Transaction.read(connection, () -> ShardHistories.read(connection, numbers, history));
        int major = connection.getMetaData().getDatabaseMajorVersion();
        // Most are alike: each is kept once.
        Map<Map<String, Map<String, String>>, Map<String, Map<String, String>>> known = new HashMap<>();
        return Transaction.read(connection, () -> {
            Sql.execute(connection, "SET LOCAL jit = off");
            List<Inspected> inspected = new ArrayList<>();
            for (StoredShard shard : served) {
                Map<String, Map<String, String>> structure =
                        StructureRead.ofShard(connection, shard.shard(), lowestMajor);
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
}
