package io.github.shardedid.provisioning;

import io.github.shardedid.operations.internal.Inquiry.Answers;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.StoredCluster;
import io.github.shardedid.operations.internal.StoredShard;
import io.github.shardedid.operations.internal.Transaction;
import io.github.shardedid.provisioning.internal.ClusterValidation;
import io.github.shardedid.provisioning.internal.EveryDatabase;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardMapSource;
import io.github.shardedid.topology.ShardOwnership;
import io.github.shardedid.topology.ShardOwnership.Standing;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds the shard map from what the databases own. Asks all databases in parallel. One that does not answer in time
 * is in the map's {@link ShardMap#unreachableDatabases()}; it keeps the shards that it owned when it last answered,
 * unless another database has taken them over. Once it or another one has answered, it is waited for no longer than
 * {@value #KNOWN_TIMEOUT_SECONDS} seconds. Safe for use by several threads.
 */
public final class DatabaseShardMapSource implements ShardMapSource {
    private static final Logger LOG = LoggerFactory.getLogger(DatabaseShardMapSource.class);
    private static final Duration WAIT = Duration.ofSeconds(10);
    private static final int KNOWN_TIMEOUT_SECONDS = 2;
    private static final String NOT_CONFIGURED = "one that is not configured here";
    private static final Duration KNOWN_TIMEOUT = Duration.ofSeconds(KNOWN_TIMEOUT_SECONDS);

    private final ClusterDefinition definition;
    private final Set<String> names;
    private final EveryDatabase databases;
    private final Map<String, OwnershipAnswer> lastAnswers = new ConcurrentHashMap<>();
    private volatile Map<String, String> excluded = Map.of();
    private final Duration wait;
    private volatile List<String> reported = List.of();

    /**
     * Creates a source that waits 10 seconds for the answer of a database.
     *
     * @param definition the configuration of the cluster
     * @param databases the databases by name
     */
    public DatabaseShardMapSource(ClusterDefinition definition, Map<String, ? extends DataSource> databases) {
        this(definition, databases, WAIT);
    }

    /**
     * Creates a source with a timeout.
     *
     * @param definition the configuration of the cluster
     * @param databases the databases by name
     * @param wait how long to wait for the answers of the databases; more than zero
     * @throws IllegalArgumentException if the wait is not more than zero
     */
    public DatabaseShardMapSource(
            ClusterDefinition definition, Map<String, ? extends DataSource> databases, Duration wait) {
        if (wait.isZero() || wait.isNegative()) {
            throw new IllegalArgumentException(
                    "The timeout for the databases must be more than zero, not " + wait + ".");
        }
        this.definition = definition;
        this.names = Set.copyOf(databases.keySet());
        this.databases = new EveryDatabase(new TreeMap<>(databases));
        this.wait = wait;
    }

    /**
     * Has databases count as unreachable without being asked, such as those that were not provisioned since they could not be
     * reached: scripts may be missing in their shards.
     *
     * @param databases by name, each with the reason; replaces those that were excluded before
     */
    public void exclude(Map<String, String> databases) {
        excluded = Map.copyOf(databases);
    }

    /**
     * Returns the databases that are not asked.
     *
     * @return by name, each with the reason
     */
    public Map<String, String> excluded() {
        return excluded;
    }

    /**
     * Asks the databases now.
     *
     * @throws ProvisioningException if the databases belong to more than one cluster, or one was provisioned under another name
     */
    @Override
    public ShardMap load() {
        ShardMap map = ask();
        if (map.isDoubtful()) {
            // A shard that is being moved has one owner again when all databases are asked a second time.
            map = ask().confirming(map, names);
        }
        report(map.problems());
        return map;
    }

    /** Logs the problems once, until they change. */
    private void report(List<String> problems) {
        if (!problems.equals(reported)) {
            reported = problems;
            problems.forEach(problem -> LOG.error("{}", problem));
        }
    }

    private ShardMap ask() {
        Map<String, String> notAsked = excluded;
        Set<String> asked = new TreeSet<>(names);
        asked.removeAll(notAsked.keySet());
        Answers<OwnershipAnswer> answers =
                databases.only(asked).run(timeout(asked), KNOWN_TIMEOUT, OwnershipAnswer::ask);
        answers.unreachable().putAll(notAsked);
        Map<String, OwnershipAnswer> known = new TreeMap<>(answers.results());
        lastAnswers.forEach((name, answer) -> {
            if (answers.unreachable().containsKey(name)) {
                known.put(name, answer);
            }
        });
        Map<String, StoredCluster> clusters = new TreeMap<>();
        known.forEach((name, answer) -> {
            if (answer.cluster() != null) {
                clusters.put(name, answer.cluster());
            }
        });
        ClusterValidation.requireSame(clusters);
        Collection<StoredCluster> stored = clusters.values();
        // Stored numbers count, so that an instance which is configured with fewer shards follows when some are added.
        int shards = stored.stream().mapToInt(StoredCluster::shardCount).max().orElse(definition.shardCount());
        int open = stored.stream().mapToInt(StoredCluster::openShards).max().orElse(shards);
        int keys = stored.stream().mapToInt(StoredCluster::keyShards).max().orElse(0);
        List<ShardOwnership> claims = known.values().stream()
                .flatMap(answer -> answer.shards().stream())
                .filter(claim -> claim.shard() < shards) // others are being added
                .map(claim -> moving(claim, answers.unreachable().keySet()))
                .toList();
        lastAnswers.putAll(answers.results());
        int first = knownShards(shards, claims);
        if (first == shards || !answers.unreachable().isEmpty()) {
            return new ShardMap(shards, open, keys, claims, answers.unreachable());
        }
        Map<String, String> elsewhere = Map.of(
                NOT_CONFIGURED,
                "this instance is configured with " + definition.shardCount() + " of " + shards
                        + " shards: restart it with the configuration of the others");
        return new ShardMap(shards, Math.min(open, first), keys, claims, elsewhere);
    }

    /**
     * Returns the number of shards up to the first one that was added after this instance was configured, to a database that it does
     * not know either. Without a map that has it, its rows would be taken for missing.
     */
    private int knownShards(int shards, List<ShardOwnership> claims) {
        Set<Integer> claimed = claims.stream().map(ShardOwnership::shard).collect(Collectors.toSet());
        return IntStream.range(definition.shardCount(), shards)
                .filter(shard -> !claimed.contains(shard))
                .findFirst()
                .orElse(shards);
    }

    /** A shard that has left for a database that did not answer is treated as fenced for a moment, not as unowned. */
    private ShardOwnership moving(ShardOwnership claim, Set<String> unreachable) {
        boolean brief = !unreachable.isEmpty() && lastAnswers.keySet().containsAll(unreachable);
        return brief && claim.standing() == Standing.LEFT
                ? new ShardOwnership(
                        claim.shard(), claim.database(), claim.generation(), Standing.FENCED, claim.successor())
                : claim;
    }

    /** A database that stalls must not delay the others if its last answer is known. */
    private Duration timeout(Set<String> asked) {
        return lastAnswers.keySet().containsAll(asked) && KNOWN_TIMEOUT.compareTo(wait) < 0 ? KNOWN_TIMEOUT : wait;
    }

    /**
     * The answer of a database: what it owns.
     *
     * @param cluster what it stores of its cluster, or null if it was never provisioned
     * @param shards those it serves, and those that have left it
     */
    private record OwnershipAnswer(@Nullable StoredCluster cluster, List<ShardOwnership> shards) {
        /** Asks, in one transaction. A database that was never provisioned owns nothing. */
        static OwnershipAnswer ask(String name, Connection connection) throws SQLException {
            return Transaction.read(connection, () -> {
                StoredCluster stored = Sql.is(connection, "SELECT to_regclass('sharded_id.cluster') IS NOT NULL")
                        ? StoredCluster.read(connection)
                        : null;
                if (stored == null) {
                    return new OwnershipAnswer(null, List.of());
                }
                ClusterValidation.requireName(name, stored);
                List<ShardOwnership> shards = StoredShard.readAll(connection).stream()
                        .map(shard -> shard.ownership(name))
                        .flatMap(Stream::ofNullable)
                        .toList();
                return new OwnershipAnswer(stored, shards);
            });
        }
    }
}
