package io.github.shardedid.provisioning;

import io.github.shardedid.provisioning.internal.EveryDatabase;
import io.github.shardedid.provisioning.internal.EveryDatabase.Answers;
import io.github.shardedid.provisioning.internal.OwnershipAnswer;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardMapSource;
import io.github.shardedid.topology.ShardOwnership;
import io.github.shardedid.topology.ShardOwnership.Standing;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks every database, in parallel, which shards it owns. A database that does not answer in time is in the map's
 * {@link ShardMap#unreachableDatabases()}; it keeps the shards that it owned when it last answered, unless another one has
 * become their home, and is not waited for longer than {@value #PATIENCE_SECONDS} seconds. Safe for use by several threads.
 */
public final class DatabaseShardMapSource implements ShardMapSource {
    private static final Logger LOG = LoggerFactory.getLogger(DatabaseShardMapSource.class);
    private static final Duration WAIT = Duration.ofSeconds(10);
    private static final int PATIENCE_SECONDS = 2;

    private final ClusterDefinition definition;
    private final Set<String> names;
    private final EveryDatabase databases;
    private final Map<String, OwnershipAnswer> lastAnswers = new ConcurrentHashMap<>();
    private final Duration wait;
    private volatile List<String> told = List.of();

    /**
     * A source that waits 10 seconds for a database's answer.
     *
     * @param definition what is configured of the cluster
     * @param databases the databases by name
     */
    public DatabaseShardMapSource(ClusterDefinition definition, Map<String, ? extends DataSource> databases) {
        this(definition, databases, WAIT);
    }

    /**
     * A source with a wait of the caller's choice.
     *
     * @param definition what is configured of the cluster
     * @param databases the databases by name
     * @param wait how long to wait for the databases' answers; more than zero
     * @throws IllegalArgumentException if the wait is not more than zero
     */
    public DatabaseShardMapSource(
            ClusterDefinition definition, Map<String, ? extends DataSource> databases, Duration wait) {
        if (wait.isZero() || wait.isNegative()) {
            throw new IllegalArgumentException("Waiting for the databases must have an end, not " + wait + ".");
        }
        this.definition = definition;
        this.names = Set.copyOf(databases.keySet());
        this.databases = new EveryDatabase(new TreeMap<>(databases));
        this.wait = wait;
    }

    /**
     * Asks now.
     *
     * @throws DifferentClustersException if the databases belong to more than one cluster
     * @throws DatabaseNameException if a database was provisioned under another name than it is asked under
     */
    @Override
    public ShardMap load() {
        ShardMap map = ask();
        if (map.isDoubtful()) {
            // A shard that moves has gone on by the time that all have been asked once more.
            map = ask().confirming(map, names);
        }
        tell(map.problems());
        return map;
    }

    /** Once, until they change. */
    private void tell(List<String> problems) {
        if (!problems.equals(told)) {
            told = problems;
            problems.forEach(problem -> LOG.error("{}", problem));
        }
    }

    private ShardMap ask() {
        Answers<OwnershipAnswer> answers = databases.run(patience(), OwnershipAnswer::ask);
        checkOneCluster(answers.results());
        Map<String, OwnershipAnswer> known = new TreeMap<>(answers.results());
        lastAnswers.forEach((name, answer) -> {
            if (answers.unreachable().containsKey(name)) {
                known.put(name, answer);
            }
        });
        List<ShardOwnership> claims = known.values().stream()
                .flatMap(answer -> answer.shards().stream())
                .map(claim -> onItsWay(claim, answers.unreachable().keySet()))
                .toList();
        ShardMap map = new ShardMap(definition.shardCount(), claims, answers.unreachable());
        lastAnswers.putAll(answers.results());
        return map;
    }

    /**
     * A shard that was left for a database that just did not answer is on its way for a moment longer, not unowned.
     */
    private ShardOwnership onItsWay(ShardOwnership claim, Set<String> unreachable) {
        boolean brief = !unreachable.isEmpty() && lastAnswers.keySet().containsAll(unreachable);
        return brief && claim.standing() == Standing.LEFT
                ? new ShardOwnership(
                        claim.shard(), claim.database(), claim.generation(), Standing.FENCED, claim.successor())
                : claim;
    }

    /** Of databases whose last answer is known, one that stalls shall not hold up what the others have to say. */
    private Duration patience() {
        Duration brief = Duration.ofSeconds(PATIENCE_SECONDS);
        return lastAnswers.keySet().containsAll(names) && brief.compareTo(wait) < 0 ? brief : wait;
    }

    private static void checkOneCluster(Map<String, OwnershipAnswer> answers) {
        Map<String, UUID> clusters = new TreeMap<>();
        answers.forEach((name, answer) -> {
            if (answer.clusterId() != null) {
                clusters.put(name, answer.clusterId());
            }
        });
        if (clusters.values().stream().distinct().count() > 1) {
            throw new DifferentClustersException("The configured databases belong to different clusters: " + clusters
                    + ". Configure the databases of one cluster only.");
        }
    }
}
