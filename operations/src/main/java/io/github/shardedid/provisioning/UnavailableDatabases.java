package io.github.shardedid.provisioning;

import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.Inquiry;
import io.github.shardedid.operations.internal.Inquiry.Answers;
import io.github.shardedid.operations.internal.Workers;
import io.github.shardedid.topology.CurrentShardMap;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Admits the databases that could not be reached when an application started. When one of them can be reached, it is provisioned or
 * checked like the others at the start; then the shard map is loaded with its shards. Until then these are unavailable, and the map's
 * {@linkplain io.github.shardedid.topology.ShardMap#unreachableReasons reasons} say why.
 *
 * <p>Holds a daemon thread until all databases are admitted. Safe for use by several threads.
 */
public final class UnavailableDatabases implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(UnavailableDatabases.class);
    private static final Duration ANSWER = Duration.ofSeconds(5);
    private static final long PAUSE_MILLIS = 1_000;

    private final CurrentShardMap map;
    private final DatabaseShardMapSource source;
    private final Map<String, ? extends DataSource> databases;
    private final Supplier<Map<String, String>> provision;
    /** Not pinned: what answers may be a pooler, of which it is said that it cannot serve. */
    private final Inquiry<Boolean> inquiry =
            new Inquiry<>(ANSWER, (name, connection) -> connection.isValid(ANSWER.toSecondsPart()));

    private final ScheduledExecutorService attempts =
            Executors.newSingleThreadScheduledExecutor(work -> Workers.thread("sharded-id-late-databases", work));

    /**
     * Starts to try the databases that the source of the map excludes.
     *
     * @param map is refreshed when a database is admitted
     * @param source the source of the map
     * @param databases the databases by name. They are not closed by this
     * @param provision provisions or checks all databases that can be reached, and returns the others: {@link
     *     Provisioner#provision()} or {@link Provisioner#check()}
     */
    public UnavailableDatabases(
            CurrentShardMap map,
            DatabaseShardMapSource source,
            Map<String, ? extends DataSource> databases,
            Supplier<Map<String, String>> provision) {
        this.map = map;
        this.source = source;
        this.databases = Map.copyOf(databases);
        this.provision = provision;
        if (!source.excluded().isEmpty()) {
            LOG.warn(
                    "The shards of databases {} are unavailable. They are served as soon as these can be reached and"
                            + " have been checked, which is tried in the background",
                    source.excluded().keySet());
            ScheduledFuture<?> unused =
                    attempts.scheduleWithFixedDelay(this::attempt, PAUSE_MILLIS, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void attempt() {
        Map<String, String> reasons = new TreeMap<>(source.excluded());
        Map<String, DataSource> late = new TreeMap<>(databases);
        late.keySet().retainAll(reasons.keySet());
        Answers<Boolean> answers = inquiry.ask(late);
        if (attempts.isShutdown()) {
            return;
        }
        reasons.putAll(answers.unreachable());
        source.exclude(reasons);
        if (!answers.results().isEmpty()) {
            admit(reasons);
        }
        if (source.excluded().isEmpty()) {
            attempts.shutdown();
        }
    }

    private void admit(Map<String, String> late) {
        Map<String, String> left = new TreeMap<>();
        try {
            left.putAll(provision.get());
            left.keySet().retainAll(late.keySet());
        } catch (RuntimeException e) {
            String reason = FailureReason.of(e);
            if (!late.containsValue(reason)) {
                LOG.error("The shards of databases {} stay unavailable: {}", late.keySet(), reason);
            }
            late.keySet().forEach(name -> left.put(name, reason));
        }
        source.exclude(left);
        map.refreshSince(map.nanoTime());
        late.keySet().stream()
                .filter(name -> !left.containsKey(name))
                .forEach(name -> LOG.info("Database {} can be reached, and its shards are served", name));
    }

    /** Ends its thread. */
    @Override
    public void close() {
        Workers.stop(attempts);
    }
}
