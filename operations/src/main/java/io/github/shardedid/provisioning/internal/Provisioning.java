package io.github.shardedid.provisioning.internal;

import io.github.shardedid.WayOut;
import io.github.shardedid.id.EpochCheck;
import io.github.shardedid.operations.internal.IdConstraints;
import io.github.shardedid.operations.internal.Inquiry;
import io.github.shardedid.operations.internal.Inquiry.Answers;
import io.github.shardedid.operations.internal.SearchPath;
import io.github.shardedid.operations.internal.SessionLock;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.StoredCluster;
import io.github.shardedid.operations.internal.StoredShard;
import io.github.shardedid.operations.internal.Transaction;
import io.github.shardedid.operations.internal.Workers;
import io.github.shardedid.provisioning.DriftReport;
import io.github.shardedid.provisioning.Provisioner.FirstShard;
import io.github.shardedid.provisioning.ProvisioningException;
import io.github.shardedid.provisioning.ProvisioningException.Reason;
import io.github.shardedid.topology.ShardRanges;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of the provisioner:
 *
 * <ol>
 *   <li>All databases are inspected at the same time. If none is provisioned and one does not answer, it is asked again for longer, since a new
 *       cluster needs all of them.
 *   <li>Everything that is wrong is collected and thrown as one failure, before anything is written in any database.
 *   <li>A new cluster gets its id under a lock on the first database by name. Each database stores its first ownership; only when all have, is
 *       any of them marked as provisioned: a run that dies in between starts again from the configuration.
 *   <li>Outdated copies from backups are fenced, before an application can meet them.
 *   <li>If more shards are configured than stored, the new ones are assigned to databases, see {@link ShardAddition}; at the end the
 *       new number is stored in all databases.
 *   <li>Databases with work create and migrate the schemas of their shards, each under its lock; then come the global schema, constraints on
 *       ids, search paths of functions, and grants.
 * </ol>
 *
 * <p>No step relies on an earlier one of the same process: whatever a killed run has left is found by the inspection of the next one.
 */
public final class Provisioning {
    private static final Logger LOG = LoggerFactory.getLogger(Provisioning.class);

    /** The timeout of an inspection. */
    private static final Duration WAIT = Duration.ofSeconds(30);

    /** The time that other databases get after the first answer. An application that starts does not wait for a silent database. */
    private static final Duration AFTER_FIRST = Duration.ofSeconds(2);

    private static final String NO_SCHEMA = Sql.load(Provisioning.class, "missing_schemas.sql");

    private final Setup setup;
    private final EveryDatabase all;
    private final @Nullable GlobalWork global;
    private final RoleGrants grants;
    private @Nullable ProvisioningException failure;
    private final Map<String, String> skipped = new TreeMap<>();

    public Provisioning(Setup setup) {
        this.setup = setup;
        this.all = new EveryDatabase(setup.databases());
        this.global = setup.global();
        this.grants = new RoleGrants(setup.options().roles(), global);
    }

    /** Creates and migrates what is missing. Returns the databases that could not be reached, each with the reason. */
    public Map<String, String> run() {
        migrate(false);
        return skipped;
    }

    /** Creates what is missing, but migrates one shard only, and the global entities. */
    public FirstShard runFirst() {
        Integer shard = migrate(true);
        return new FirstShard(shard, failure, skipped);
    }

    /** Returns the shard that has been migrated, if others are left. */
    private @Nullable Integer migrate(boolean firstOnly) {
        Answers<DatabaseState> first = inspect();
        boolean again = !isEstablished(first) && !first.unreachable().isEmpty();
        Answers<DatabaseState> answers = again ? all.run(WAIT, DatabaseState::read) : first;
        WantedMigrations wanted = checked(answers, true);
        Answers<DatabaseState> established = isEstablished(answers) ? answers : created(wanted);
        established.unreachable().forEach(this::skip);
        new OutdatedCopies(established.results().values()).fence(all);
        join(established);
        ShardAddition addition = new ShardAddition(setup.definition(), all);
        Answers<DatabaseState> found = addition.prepare(established) ? inspect() : established;
        Set<String> working = select(found, state -> state.hasWork(wanted));
        Integer only = firstOnly && wanted.fingerprint() != null && !working.isEmpty() ? first(found, wanted) : null;
        Step ofShards = (name, connection) -> new DatabaseWork(name, connection, setup.migrations(), wanted).run(only);
        Workers.<RuntimeException>runAll(List.of(
                // Foreign keys of the shards there may refer to global tables.
                () -> migrate(only, this::workGlobally), () -> migrate(only, () -> eachReached(working, ofShards))));
        boolean constrains = setup.options().idConstraints() && !firstOnly;
        eachReached(found.results().keySet(), (name, connection) -> complete(name, connection, constrains));
        if (only == null && failure == null && skipped.isEmpty()) {
            addition.announce(found);
        }
        return only;
    }

    /**
     * Returns the shard that is migrated first: one that is complete, if there is any, since a start that is repeated migrates no
     * other; or else one of the global database, where foreign keys to replicated tables find the originals before there are copies; or else
     * one of the smallest database.
     */
    private @Nullable Integer first(Answers<DatabaseState> found, WantedMigrations wanted) {
        return found.results().values().stream()
                .sorted(Comparator.<DatabaseState, Boolean>comparing(state -> global == null
                                || !state.name().equals(global.global().database()))
                        .thenComparing(state -> state.shards().size()))
                .flatMap(state -> state.shards().stream())
                .filter(shard -> shard.creating() || shard.active())
                .min(Comparator.comparing(shard -> shard.creating() || DatabaseState.lacksMigrations(shard, wanted)))
                .map(StoredShard::shard)
                .orElse(null);
    }

    /** If one shard is migrated only, a script that fails is reported with that shard. */
    private void migrate(@Nullable Integer only, Runnable work) {
        try {
            work.run();
        } catch (ProvisioningException e) {
            if (only == null || e.reason() != Reason.FAILED_MIGRATION) {
                throw e;
            } else if (failure == null) {
                failure = e;
            } else {
                failure.addSuppressed(e);
            }
        }
    }

    private void workGlobally() {
        if (global != null && !skipped.containsKey(global.global().database())) {
            eachReached(Set.of(global.global().database()), global::run);
        }
    }

    /** Adds what each database gets after the migrations. Sends only queries if nothing is missing. */
    private void complete(String database, Connection connection, boolean constrains) throws SQLException {
        if (constrains) {
            constrain(database, connection);
        }
        FunctionBinding.bindAll(database, connection, setup.migrations().commonSchemas());
        if (grants.areAny()) {
            grants.grant(database, connection);
        }
    }

    /** Adds missing constraints on ids. A start does not wait for a silent database, but for one that is at work. */
    public void constrain(Set<String> unreachable) {
        if (!setup.options().idConstraints()) {
            return;
        }
        Set<String> reachable = new TreeSet<>(setup.databases().keySet());
        reachable.removeAll(unreachable);
        Map<String, Set<String>> colocated = setup.options().colocated();
        Set<String> lacking = where(reachable, (name, connection) -> IdConstraints.areMissing(connection, colocated));
        eachReached(lacking, this::constrain);
    }

    private void constrain(String database, Connection connection) throws SQLException {
        IdConstraints.complete(database, connection, setup.options().colocated());
    }

    /** Returns the databases for which something holds, without those that do not answer. */
    private Set<String> where(Set<String> some, Inquiry.Question<Boolean> condition) {
        Map<String, Boolean> answers =
                all.only(some).run(WAIT, AFTER_FIRST, condition).results();
        answers.values().removeIf(holds -> !holds);
        return answers.keySet();
    }

    /** Compares the shards; changes nothing. */
    public DriftReport drift() {
        Answers<DatabaseState> answers = inspect();
        WantedMigrations wanted = wanted(answers);
        check(answers, wanted);
        EveryDatabase some = all.only(select(answers, DatabaseState::provisioned));
        int lowest = answers.results().values().stream()
                .mapToInt(DatabaseState::major)
                .min()
                .orElse(0);
        return new DriftInspection(some, wanted.fingerprint(), setup.migrations(), lowest)
                .report(answers.unreachable());
    }

    /** Inspects only; everything that {@link #run} would do is an error. Returns the databases that could not be reached. */
    public Map<String, String> check() {
        Answers<DatabaseState> answers = inspect();
        WantedMigrations wanted = checked(answers, false);
        Set<String> unprovisioned = select(answers, state -> !state.provisioned());
        Set<String> unfinished = select(answers, state -> state.hasWork(wanted));
        if (global != null) {
            Set<String> home = select(
                    answers,
                    state -> state.provisioned()
                            && state.name().equals(global.global().database()));
            unfinished.addAll(where(home, (name, connection) -> global.isNeeded(connection)));
        }
        ShardAddition.requireNone(setup.definition(), answers.results().values());
        if (!unprovisioned.isEmpty() || !unfinished.isEmpty()) {
            throw new ProvisioningException(
                    Reason.UNPROVISIONED,
                    "The cluster is not completely provisioned: databases without the cluster's tables and functions "
                            + unprovisioned + ", with schemas or migrations missing " + unfinished
                            + ". Provision them first, with a user that may create schemas. Nothing was changed.");
        }
        answers.unreachable().forEach(this::skip);
        return skipped;
    }

    /** Reports all mistakes at once, before anything is written in any database. */
    private WantedMigrations checked(Answers<DatabaseState> answers, boolean provisions) {
        requireAny(answers);
        AtomicReference<WantedMigrations> wanted = new AtomicReference<>(WantedMigrations.NONE);
        List<Workers.Check<RuntimeException>> checks = new ArrayList<>(List.of(
                () -> {
                    WantedMigrations read = wanted(answers);
                    wanted.set(provisions ? read.finishing() : read);
                },
                () -> check(answers, Objects.requireNonNull(wanted.get()))));
        if (grants.areAny()
                || global != null
                || !setup.migrations().commonSchemas().names().isEmpty()) {
            checks.add(() -> each(
                    answers.results().keySet(),
                    (name, connection) -> requirePreconditions(name, connection, provisions)));
        }
        if (provisions && !isEstablished(answers)) {
            checks.add(() -> EveryDatabase.requireAll(answers.unreachable()));
            checks.add(() -> ShardRanges.checkCover(
                    setup.definition().initialShards(), setup.definition().shardCount()));
        }
        Workers.runAll(checks);
        return Objects.requireNonNull(wanted.get());
    }

    private void requirePreconditions(String database, Connection connection, boolean provisions) throws SQLException {
        Workers.<SQLException>runAll(List.of(
                () -> requireSchemas(database, connection),
                () -> {
                    if (provisions && grants.areAny()) {
                        grants.requireRoles(database, connection);
                    }
                },
                () -> {
                    if (global != null && global.global().database().equals(database)) {
                        global.migrations().fingerprint(connection);
                    }
                }));
    }

    private void requireSchemas(String database, Connection connection) throws SQLException {
        List<String> names = setup.migrations().commonSchemas().names();
        List<String> missing = names.isEmpty() ? names : Sql.strings(connection, NO_SCHEMA, names);
        if (!missing.isEmpty()) {
            throw new ProvisioningException(
                    Reason.MISSING_OBJECT,
                    "Database " + database + " has no schema '" + String.join("', '", missing)
                            + "', which " + WayOut.COMMON_SCHEMAS.of()
                            + " names. Create it there, or correct the name: names are"
                            + " case-sensitive and have no quotes. Nothing was changed.");
        }
    }

    private void skip(String name, String reason) {
        skipped.put(name, reason);
        LOG.warn("Database {} cannot be reached and is skipped: {}", name, reason);
    }

    private Answers<DatabaseState> inspect() {
        return requireAny(all.run(WAIT, AFTER_FIRST, DatabaseState::read));
    }

    private static Answers<DatabaseState> requireAny(Answers<DatabaseState> answers) {
        if (answers.results().isEmpty()) {
            throw new ProvisioningException(
                    Reason.UNREACHABLE_DATABASE,
                    "None of the cluster's databases can be reached: " + answers.unreachable()
                            + ". Start one of them at least, all if the cluster is new.");
        }
        return answers;
    }

    /** Reads the fingerprint of this instance's migrations, and finds shards that an instance of a newer version has migrated further. */
    private WantedMigrations wanted(Answers<DatabaseState> answers) {
        String any = answers.results().keySet().iterator().next();
        Answers<Optional<String>> own = all.only(Set.of(any))
                .run((name, connection) ->
                        Optional.ofNullable(setup.migrations().fingerprint(connection)));
        EveryDatabase.requireAll(own.unreachable());
        WantedMigrations wanted =
                new WantedMigrations(own.results().values().iterator().next().orElse(null), Set.of());
        return all
                .only(select(answers, state -> state.shards().stream().anyMatch(wanted::isUnsure)))
                .run((name, connection) -> {
                    List<StoredShard> shards = Transaction.read(connection, () -> StoredShard.readAll(connection));
                    return wanted.learn(connection, name, shards, setup.migrations());
                })
                .results()
                .values()
                .stream()
                .reduce(wanted, WantedMigrations::and);
    }

    private void check(Answers<DatabaseState> answers, WantedMigrations wanted) {
        Collection<DatabaseState> states = answers.results().values();
        Workers.<RuntimeException>runAll(List.of(
                () -> new ClusterValidation(setup.definition(), wanted).check(states),
                () -> {
                    if (global != null) {
                        global.check(states);
                    }
                },
                () -> EpochCheck.requireTime(
                        setup.definition().layout(), setup.clock().instant())));
    }

    private Answers<DatabaseState> created(WantedMigrations wanted) {
        String first = Collections.min(setup.databases().keySet());
        onAll(Set.of(first), (name, connection) -> provisionFirst(wanted, name, connection));
        Answers<DatabaseState> answers = requireAny(all.run(WAIT, DatabaseState::read));
        check(answers, wanted);
        return answers;
    }

    /** Creates the cluster under a lock on the first database by name, so that the cluster gets one id. */
    private void provisionFirst(WantedMigrations wanted, String first, Connection connection) throws SQLException {
        try (SessionLock lock = SessionLock.take(first, connection, SessionLock.CLUSTER)) {
            Set<String> others = new TreeSet<>(setup.databases().keySet());
            others.remove(first);
            Answers<DatabaseState> answers = all.only(others).run(WAIT, DatabaseState::read);
            answers.results().put(first, DatabaseState.read(first, connection));
            check(answers, wanted);
            EveryDatabase.requireAll(answers.unreachable());
            if (isEstablished(answers)) {
                return; // by another instance, while this one waited
            }
            UUID clusterId = clusterId(answers).orElseGet(UUID::randomUUID);
            LOG.info(
                    "Provisioning cluster {} of {} shards on {}",
                    clusterId,
                    setup.definition().shardCount(),
                    setup.databases().keySet());
            MetaInstallation installation = new MetaInstallation(setup.definition(), clusterId, null);
            installation.install(first, connection, false);
            onAll(others, (name, other) -> installation.install(name, other, false));
            MetaInstallation.markProvisioned(connection);
            onAll(others, (name, other) -> MetaInstallation.markProvisioned(other));
        }
    }

    private static boolean isEstablished(Answers<DatabaseState> answers) {
        return answers.results().values().stream().anyMatch(DatabaseState::provisioned);
    }

    /** The id that some database has stored. */
    private static Optional<UUID> clusterId(Answers<DatabaseState> answers) {
        return answers.results().values().stream()
                .map(DatabaseState::cluster)
                .flatMap(Stream::ofNullable)
                .map(StoredCluster::clusterId)
                .findFirst();
    }

    private interface Step {
        void on(String name, Connection connection) throws SQLException;
    }

    private void onAll(Set<String> some, Step step) {
        EveryDatabase.requireAll(each(some, step));
    }

    private void eachReached(Set<String> some, Step step) {
        each(some, step).forEach(this::skip);
    }

    private Map<String, String> each(Set<String> some, Step step) {
        return all.only(some)
                .run((name, connection) -> SearchPath.pinned(connection, () -> {
                    step.on(name, connection);
                    return name;
                }))
                .unreachable();
    }

    /** New databases join the cluster; those that a crash left incomplete are completed. */
    private void join(Answers<DatabaseState> answers) {
        StoredCluster other = ShardAddition.latest(answers.results().values());
        MetaInstallation installation = new MetaInstallation(setup.definition(), other.clusterId(), other);
        eachReached(select(answers, state -> !state.provisioned()), (name, connection) -> {
            installation.install(name, connection, true);
            MetaInstallation.markProvisioned(connection);
        });
    }

    private static Set<String> select(Answers<DatabaseState> answers, Predicate<DatabaseState> wanted) {
        return answers.results().values().stream()
                .filter(wanted)
                .map(DatabaseState::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
