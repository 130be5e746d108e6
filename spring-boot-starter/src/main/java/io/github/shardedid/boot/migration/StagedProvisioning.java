package io.github.shardedid.boot.migration;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.hibernate.CheckedStart;
import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.Provisioner.FirstShard;
import io.github.shardedid.provisioning.ProvisioningException;
import io.github.shardedid.provisioning.ProvisioningException.Reason;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.topology.GlobalDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Provisions the databases in two stages if Hibernate checks its mappings in between: the first one migrates one shard only. The second
 * one runs when there is no problem, before the session factory exists; or earlier, when the application needs a connection.
 */
public final class StagedProvisioning implements CheckedStart, SmartInitializingSingleton {
    private static final Logger LOG = LoggerFactory.getLogger(StagedProvisioning.class);
    private static final long KEPT_NANOS = Duration.ofSeconds(5).toNanos();
    private static final String OF_HIBERNATE = "shardedIdHibernatePropertiesCustomizer";

    private final boolean enabled;
    private final ListableBeanFactory beans;
    private final ReentrantLock lock = new ReentrantLock();
    private final ThreadLocal<Boolean> checking = ThreadLocal.withInitial(() -> false);
    private volatile Provisioner provisioner;
    private volatile boolean pending;
    private volatile boolean lacksMigrations;
    private volatile @Nullable Integer shard;
    private volatile @Nullable ShardedIdException failure;
    private volatile Map<String, String> skipped = Map.of();
    private volatile boolean started;
    private volatile boolean begun;
    private boolean constrained;
    private Function<Set<String>, Map<String, String>> replication = tables -> Map.of();
    private volatile @Nullable GlobalDatabase global;
    private final Set<String> replicated = new ConcurrentSkipListSet<>();
    private volatile @Nullable Asked asked;

    /**
     * Creates a start.
     *
     * @param provisioner provisions the databases
     * @param enabled whether it may; otherwise it only checks them
     * @param beans tell whether Hibernate is started
     */
    public StagedProvisioning(Provisioner provisioner, boolean enabled, ListableBeanFactory beans) {
        this.provisioner = provisioner;
        this.enabled = enabled;
        this.beans = beans;
    }

    /**
     * Runs the first stage. If it fails, the databases are left out until Hibernate has reported the problems of its mappings with the
     * failure.
     *
     * @param names of the databases that may be left out
     * @return the databases that are, each with the reason
     */
    public Map<String, String> begin(Set<String> names) {
        begun = true;
        if (!isChecked()) {
            skipped = again();
            return skipped;
        }
        try {
            FirstShard first = enabled ? provisioner.provisionFirst() : new FirstShard(null, null, provisioner.check());
            skipped = first.skipped();
            shard = first.shard();
            if (shard != null) {
                pending = true;
            }
            ShardedIdException failed = first.failure();
            if (failed != null) {
                lacksMigrations = true;
                refuse(failed);
            }
        } catch (ShardedIdException e) {
            if (names.isEmpty()) {
                throw e;
            }
            lacksMigrations = true;
            refuse(e);
            skipped = names.stream().collect(Collectors.toMap(name -> name, name -> "it is not provisioned"));
        }
        return skipped;
    }

    private boolean isChecked() {
        return beans.containsBeanDefinition(OF_HIBERNATE) && beans.containsBeanDefinition("shardedDataSource");
    }

    /**
     * Refuses the start, when Hibernate has reported the problems of its mappings; at once if it reports none.
     *
     * @param why is thrown with what else is wrong
     */
    public void refuse(ShardedIdException why) {
        ShardedIdException before = failure;
        if (!isChecked()) {
            throw why;
        } else if (before == null) {
            failure = why;
        } else {
            before.addSuppressed(why);
        }
        pending = true;
    }

    /**
     * Provisions or checks the databases, those included that have been left out.
     *
     * @return the databases that were skipped, each with the reason
     */
    public Map<String, String> again() {
        if (!enabled) {
            return provisioner.check();
        }
        locked(() -> {
            skipped = provisioner.provision();
            constrained = true;
            if (!replicated.isEmpty()) {
                replicates(); // also to databases that are new
            }
        });
        return skipped;
    }

    private void locked(Runnable work) {
        lock.lock();
        try {
            work.run();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Receives the columns with ids of the row's own shard, for constraints on them: once for each session factory, before its mappings are
     * checked.
     *
     * @param columns by table, both as PostgreSQL stores their names
     */
    public void colocated(Map<String, Set<String>> columns) {
        locked(() -> {
            provisioner = provisioner.withColocated(columns);
            constrained = false;
            if (started) {
                constrain();
            }
        });
    }

    /**
     * Sets what gives all databases copies of tables of the global database.
     *
     * @param from the global database
     * @param by returns the databases that have none, each with the reason
     */
    public void replicateBy(GlobalDatabase from, Function<Set<String>, Map<String, String>> by) {
        global = from;
        replication = by;
    }

    /** Returns whether a database may have copies: it is not the global one. */
    public boolean mayHaveCopies(String database) {
        GlobalDatabase from = global;
        return from != null && !from.database().equals(database);
    }

    /**
     * Creates the copies, before the scripts run whose foreign keys refer to them. If the scripts of the first shard have failed, they are
     * tried again with the others.
     */
    @Override
    public void replicate(Set<String> tables) {
        locked(() -> {
            replicated.addAll(tables);
            try {
                if (enabled
                        && begun
                        && replicates()
                        && failure instanceof ProvisioningException failed
                        && failed.reason() == Reason.FAILED_MIGRATION) {
                    failure = null;
                }
            } catch (MoveRefusedException e) { // of a table without a key
                refuse(e);
            }
        });
    }

    private boolean replicates() {
        Map<String, String> obstacles = replication.apply(replicated);
        obstacles.forEach((name, why) -> LOG.warn(
                "Database {} has no up-to-date copies of the replicated tables {}: {}", name, replicated, why));
        return obstacles.isEmpty();
    }

    /** An inspection of the copies, which may not have ended. */
    private record Asked(long nanos, CompletableFuture<Map<String, Long>> lag) {}

    /**
     * Returns how far the copies were behind within the last seconds. Waits for a second at most, whatever the global database does.
     *
     * @return by the name of the database, the bytes of log that it has not confirmed; -1 if no log is kept for it, or it does not
     *     read it. Empty if no table is replicated, and if the global database does not answer
     */
    public Map<String, Long> replicationLag() {
        RoutingDataSource source = replicated.isEmpty()
                ? null
                : beans.getBeanProvider(RoutingDataSource.class).getIfAvailable();
        if (source == null) {
            return Map.of();
        }
        Asked latest = asked;
        if (latest == null || (latest.lag.isDone() && System.nanoTime() - latest.nanos > KEPT_NANOS)) {
            latest = new Asked(System.nanoTime(), CompletableFuture.supplyAsync(() -> lag(source)));
            asked = latest; // of two threads, either may win
        }
        return latest.lag
                .copy()
                .completeOnTimeout(Map.of(), 1, TimeUnit.SECONDS)
                .join();
    }

    private static Map<String, Long> lag(RoutingDataSource source) {
        try {
            return source.replicationLag();
        } catch (SQLException | RuntimeException e) {
            LOG.debug("The global database does not say how far the copies of replicated tables are", e);
            return Map.of();
        }
    }

    /** Runs once all session factories have said which columns hold ids; not where the map comes from elsewhere. */
    private void constrain() {
        locked(() -> {
            if (enabled && begun && !constrained) {
                provisioner.constrain(skipped.keySet());
                constrained = true;
            }
        });
    }

    @Override
    public @Nullable Integer shard() {
        return shard;
    }

    @Override
    public @Nullable ShardedIdException failure() {
        return failure;
    }

    @Override
    public boolean lacksMigrations() {
        return lacksMigrations;
    }

    @Override
    public void check(Runnable check) {
        checking.set(true);
        try {
            check.run();
        } finally {
            checking.remove();
        }
    }

    @Override
    public void complete() {
        if (pending) {
            locked(this::completeOnce);
        }
    }

    private void completeOnce() {
        ShardedIdException refused = failure;
        if (refused != null) {
            throw refused;
        } else if (pending) {
            Set<String> before = skipped.keySet();
            Map<String, String> lost = new TreeMap<>(again());
            lost.keySet().removeAll(before);
            if (!lost.isEmpty()) {
                throw new ProvisioningException(
                        Reason.UNREACHABLE_DATABASE,
                        "Databases became unreachable before their shards were migrated: " + lost + ". Start again.");
            }
            shard = null;
            pending = false;
        }
    }

    /** Hibernate may not have been started: it is lazy, or not Spring Boot's. */
    @Override
    public void afterSingletonsInstantiated() {
        complete();
        started = true;
        constrain();
    }

    /**
     * Lets the application wait for the second stage.
     *
     * @param pools the pools of the databases
     * @return the same pools, whose connections are given out when all shards are migrated
     */
    public Map<String, DataSource> after(Map<String, ? extends DataSource> pools) {
        Map<String, DataSource> waiting = new LinkedHashMap<>();
        pools.forEach((name, pool) -> waiting.put(name, new DelegatingDataSource(pool) {
            @Override
            public Connection getConnection() throws SQLException {
                if (pending && !checking.get()) {
                    complete();
                }
                return super.getConnection();
            }
        }));
        return waiting;
    }
}
