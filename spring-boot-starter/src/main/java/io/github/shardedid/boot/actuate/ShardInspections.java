package io.github.shardedid.boot.actuate;

import io.github.shardedid.boot.autoconfigure.ShardedDatabases;
import io.github.shardedid.id.DecodedId;
import io.github.shardedid.move.ShardMover;
import io.github.shardedid.provisioning.DriftReport;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ShardStatus;
import io.github.shardedid.spring.id.IdText;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardSchema;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Inspections of the endpoint: decodes ids, and queries databases for sizes and versions of their shards. */
final class ShardInspections {
    /** Shorter than the timeout of most clients. */
    private static final Duration SIZES_TIMEOUT = Duration.ofSeconds(5);

    /** Longer, as it inspects all shards, of which there may be thousands. */
    private static final Duration VERSIONS_TIMEOUT = Duration.ofSeconds(10);

    /** Whoever may read the endpoint cannot keep the databases busy with it. */
    private static final Duration KEPT = Duration.ofSeconds(5);

    private final Cluster cluster;
    private final IdText ids;
    private final ShardedDatabases databases;
    private final SharedInspection<DriftReport> drift;
    private final Map<String, SharedInspection<Sizes>> sizes = new ConcurrentHashMap<>();

    ShardInspections(Cluster cluster, IdText ids, ShardedDatabases databases, Provisioner provisioner) {
        this.cluster = cluster;
        this.ids = ids;
        this.databases = databases;
        this.drift = new SharedInspection<>(KEPT, () -> provisioner.drift(VERSIONS_TIMEOUT));
    }

    /**
     * A decoded id.
     *
     * @param id the decimal form, as text
     * @param text the short text form
     * @param instant when it was generated
     * @param shard the logical shard
     * @param node the JVM node that generated it, or null if a database did
     * @param sequence the value of the sequence field
     * @param schema the shard's schema; null if the cluster has no such shard
     * @param database the database that owns the shard; null if unknown
     */
    record Id(
            String id,
            String text,
            Instant instant,
            int shard,
            @Nullable Integer node,
            int sequence,
            @Nullable String schema,
            @Nullable String database) {}

    /**
     * Sizes of the shards of a database.
     *
     * @param database the name of the database
     * @param bytes the size of all shards
     * @param shards the size of each shard in bytes, including old copies of moved shards
     */
    record Sizes(String database, long bytes, Map<Integer, Long> shards) {}

    /**
     * Migration versions of the shards of a database.
     *
     * @param database the name of the database
     * @param versions number of shards by version; {@code none} if no script has run
     * @param differing the shards that are outdated or differ from the others
     */
    record Versions(String database, Map<String, Integer> versions, List<ShardStatus> differing) {}

    Id id(String decimalOrText) {
        long id = ids.parse(decimalOrText);
        DecodedId decoded = cluster.layout().decode(id);
        int shard = decoded.shard();
        boolean known = shard < cluster.shardCount();
        return new Id(
                Long.toString(id),
                cluster.layout().toText(id),
                decoded.instant(),
                shard,
                decoded.node().isPresent() ? decoded.node().getAsInt() : null,
                decoded.sequence(),
                known ? ShardSchema.nameOf(shard) : null,
                known ? owner(shard, cluster.map().get()) : null);
    }

    /** The database that owns a shard; null if unknown. */
    static @Nullable String owner(int shard, ShardMap map) {
        return Arrays.binarySearch(map.unownedShards(), shard) >= 0 ? null : map.databaseOf(shard);
    }

    Sizes sizes(String database) {
        DataSource source = databases.byName().get(database);
        if (source == null) {
            throw unknown(database);
        }
        return sizes.computeIfAbsent(database, name -> new SharedInspection<>(KEPT, () -> sizes(name, source)))
                .get();
    }

    private static Sizes sizes(String database, DataSource source) {
        try {
            Map<Integer, Long> shards = ShardMover.sizes(source, SIZES_TIMEOUT);
            return new Sizes(
                    database,
                    shards.values().stream().mapToLong(Long::longValue).sum(),
                    shards);
        } catch (SQLException e) {
            throw new ShardsProblem(
                    ShardsProblem.UNAVAILABLE,
                    "Database " + database + " did not return the sizes of its shards within "
                            + SIZES_TIMEOUT.toSeconds() + " s. Retry when it can be reached and is less busy.",
                    e);
        }
    }

    Versions versions(String database) {
        if (!databases.byName().containsKey(database)) {
            throw unknown(database);
        }
        DriftReport report = drift.get();
        String failure = report.unreachable().get(database);
        if (failure != null) {
            throw new ShardsProblem(
                    ShardsProblem.UNAVAILABLE,
                    "Database " + database + " did not return the versions of its shards: " + failure
                            + ". Retry when it can be reached and is less busy.",
                    null);
        }
        List<ShardStatus> own = report.shards().stream()
                .filter(status -> status.database().equals(database))
                .toList();
        Map<String, Integer> versions = new TreeMap<>();
        own.forEach(status -> versions.merge(status.version() == null ? "none" : status.version(), 1, Integer::sum));
        return new Versions(
                database,
                new LinkedHashMap<>(versions),
                own.stream().filter(status -> !status.inOrder()).toList());
    }

    private ShardsProblem unknown(String database) {
        return new ShardsProblem(
                ShardsProblem.NOT_FOUND,
                "There is no database " + database + " under sharded-id.databases, which are "
                        + databases.byName().keySet() + ".",
                null);
    }

    /** An inspection that runs once at a time, however many ask, and whose result or failure is kept for a while. Safe for use by several threads. */
    static final class SharedInspection<T> {
        private final ReentrantLock running = new ReentrantLock();
        private final Duration kept;
        private final Supplier<T> inspection;
        private @Nullable Supplier<T> last;
        private long ended;

        /** Inspects nothing yet. */
        SharedInspection(Duration kept, Supplier<T> inspection) {
            this.kept = kept;
            this.inspection = inspection;
        }

        /** Returns the kept result, or waits for the inspection. */
        T get() {
            running.lock();
            try {
                Supplier<T> outcome = last;
                if (outcome == null || System.nanoTime() - ended >= kept.toNanos()) {
                    outcome = inspected();
                    ended = System.nanoTime();
                    last = outcome;
                }
                return outcome.get();
            } finally {
                running.unlock();
            }
        }

        private Supplier<T> inspected() {
            try {
                T result = inspection.get();
                return () -> result;
            } catch (RuntimeException e) {
                return () -> {
                    throw e;
                };
            }
        }
    }
}
