package io.github.shardedid.provisioning.internal.inspection;

import io.github.shardedid.operations.internal.Transaction;
import io.github.shardedid.operations.internal.schema.StoredShard;
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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
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

    private record Inspected(StoredShard row, String database, Standing history, String structure) {}

    public DriftReport report() {
        Answers<List<Inspected>> answers = databases.runClosing(longest, this::look);
        List<Inspected> inspected = answers.results().values().stream()
                .flatMap(List::stream)
                .sorted(Comparator.comparingInt(one -> one.row().shard()))
                .toList();
        Map<String, List<Inspected>> alike = inspected.stream().collect(Collectors.groupingBy(Inspected::structure));
        Map<String, List<String>> differences = differences(alike);
        return new DriftReport(
                inspected.stream()
                        .map(one -> status(one, differences.getOrDefault(one.structure(), List.of())))
                        .toList(),
                answers.unreachable());
    }

    private List<Inspected> look(String database, Connection connection) throws SQLException {
        List<StoredShard> served = Transaction.read(connection, () -> StoredShard.readAll(connection)).stream()
                .filter(shard -> shard.served() && shard.schemaExists())
                .toList();
        List<Integer> numbers = served.stream().map(StoredShard::shard).toList();
        Map<Integer, Standing> histories =
                Transaction.read(connection, () -> ShardHistories.read(connection, numbers, history));
        Map<Integer, String> structures = ShardStructures.hashes(connection, numbers);
        return served.stream()
                .map(shard -> new Inspected(
                        shard,
                        database,
                        histories.getOrDefault(shard.shard(), Standing.NONE),
                        structures.getOrDefault(shard.shard(), "")))
                .toList();
    }

    /** For each other structure than that of most shards, its differences from that. */
    private Map<String, List<String>> differences(Map<String, List<Inspected>> alike) {
        if (alike.size() < 2) {
            return Map.of();
        }
        Map<String, List<String>> lines = lines(
                alike.values().stream().map(some -> some.get(0)).collect(Collectors.groupingBy(Inspected::database)));
        String usual = alike.entrySet().stream()
                .max(Comparator.comparingInt(entry -> entry.getValue().size()))
                .orElseThrow()
                .getKey();
        Map<String, List<String>> differences = new TreeMap<>();
        lines.forEach((structure, some) -> {
            if (!structure.equals(usual)) {
                differences.put(structure, difference(lines.getOrDefault(usual, List.of()), some));
            }
        });
        return differences;
    }

    private Map<String, List<String>> lines(Map<String, List<Inspected>> examples) {
        Map<String, List<String>> lines = new ConcurrentHashMap<>();
        databases.runClosing(longest, (database, connection) -> {
            for (Inspected example : examples.getOrDefault(database, List.of())) {
                lines.put(
                        example.structure(),
                        ShardStructures.lines(connection, example.row().shard()));
            }
            return database;
        });
        return lines;
    }

    private static List<String> difference(List<String> usual, List<String> other) {
        Set<String> less = new TreeSet<>(usual);
        other.forEach(less::remove);
        Set<String> more = new TreeSet<>(other);
        usual.forEach(more::remove);
        List<String> words = new ArrayList<>();
        less.forEach(line -> words.add("lacks " + line));
        more.forEach(line -> words.add("has besides " + line));
        return words;
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
