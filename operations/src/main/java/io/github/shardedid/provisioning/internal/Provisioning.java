package io.github.shardedid.provisioning.internal;

import io.github.shardedid.id.EpochCheck;
import io.github.shardedid.operations.internal.IdConstraints;
import io.github.shardedid.operations.internal.Inquiry.Answers;
import io.github.shardedid.operations.internal.SearchPath;
import io.github.shardedid.operations.internal.SessionLock;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.StoredCluster;
import io.github.shardedid.operations.internal.StoredShard;
import io.github.shardedid.operations.internal.Transaction;
import io.github.shardedid.operations.internal.Workers;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.ClusterRoles;
import io.github.shardedid.provisioning.DatabasesUnreachableException;
import io.github.shardedid.provisioning.DriftReport;
import io.github.shardedid.provisioning.Provisioner.FirstShard;
import io.github.shardedid.provisioning.ProvisioningOptions;
import io.github.shardedid.provisioning.ProvisioningRefusedException;
import io.github.shardedid.provisioning.ProvisioningRefusedException.Reason;
import io.github.shardedid.provisioning.ShardMigrationException;
import io.github.shardedid.provisioning.UnprovisionedException;
import io.github.shardedid.topology.CommonSchemas;
import io.github.shardedid.topology.ShardRanges;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
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
import javax.sql.DataSource;
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
 *   <li>Schema {@code sharded_id} is upgraded where it is older, and outdated copies from backups are fenced, before an application can meet them.
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

    private static final Duration WITHOUT_END = Duration.ZERO;
    private static final String EXISTS =
            "SELECT count(*) FROM pg_catalog.pg_namespace WHERE nspname = cast(? AS pg_catalog.name)";

    private final ClusterDefinition definition;
    private final Map<String, ? extends DataSource> databases;
    private final EveryDatabase all;
    private final SchemaMigrations migrations;
    private final @Nullable GlobalWork global;
    private final InstantSource clock;
    private final ProvisioningOptions options;
    private final Map<String, String> skipped = new TreeMap<>();
    private final AtomicReference<@Nullable ShardMigrationException> failure = new AtomicReference<>();

    /** A run with a configuration. */
    public Provisioning(
            ClusterDefinition definition,
            Map<String, ? extends DataSource> databases,
            SchemaMigrations migrations,
            @Nullable GlobalWork global,
            InstantSource clock,
            ProvisioningOptions options) {
        this.definition = definition;
        this.databases = databases;
        this.all = new EveryDatabase(databases);
        this.migrations = migrations;
        this.global = global;
        this.clock = clock;
        this.options = options;
    }

    /** Creates and migrates what is missing. Returns the databases that could not be reached, each with the reason. */
    public Map<String, String> run() {
        run(false);
        return skipped;
    }

    /** Creates what is missing, but migrates one shard only, and the global entities. */
    public FirstShard runFirst() {
        Integer shard = run(true);
        return new FirstShard(shard, failure.get(), skipped);
    }

    /** Returns the shard that has been migrated, if others are left. */
    private @Nullable Integer run(boolean firstOnly) {
        RoleGrants grants = new RoleGrants(options.roles(), global);
        Answers<DatabaseState> first = requireAny(inspect(all));
        boolean again =
                !ClusterPicture.of(first).established() && !first.unreachable().isEmpty();
        Answers<DatabaseState> answers = again ? inspectAtLength(all) : first;
        WantedMigrations wanted = checked(answers, grants, true);
        ClusterPicture known = ClusterPicture.of(answers);
        ClusterPicture picture = known.established() ? known : created(wanted);
        warn(picture);
        eachReached(select(picture, DatabaseState::isOutdated), MetaInstallation::upgrade);
        new OutdatedCopies(picture.states()).fence(all);
        join(picture);
        Set<String> working = select(picture, state -> state.hasWork(wanted));
        DatabaseState smallest = firstOnly && wanted.fingerprint() != null ? smallest(picture, working, wanted) : null;
        if (smallest != null) {
            working.add(smallest.name());
        }
        AtomicReference<@Nullable Integer> shard = new AtomicReference<>();
        Step ofShards = (name, connection) -> {
            DatabaseWork work = work(name, connection, wanted);
            if (smallest == null) {
                work.run();
            } else {
                work.runFirst(
                        name.equals(smallest.name())
                                ? (migrated, why) -> {
                                    shard.set(migrated);
                                    failure.set(why);
                                }
                                : null);
            }
        };
        Workers.<RuntimeException>runAll(
                List.of(() -> eachReached(working, ofShards), () -> workGlobally(picture, shard.get() != null)));
        boolean constrains = options.idConstraints() && !firstOnly;
        eachReached(
                select(picture, state -> true), (name, connection) -> complete(name, connection, constrains, grants));
        // Another instance may have migrated all shards of that database.
        return smallest != null && shard.get() == null ? run(false) : shard.get();
    }

    /** Adds what each database gets after the migrations. Sends only queries if nothing is missing. */
    private void complete(String database, Connection connection, boolean constrains, RoleGrants grants)
            throws SQLException {
        WritableSchemas.warn(database, connection, migrations.commonSchemas());
        if (constrains) {
            IdConstraints.complete(database, connection, definition.layout(), options.colocated());
        }
        FunctionBinding.bindAll(database, connection, migrations.commonSchemas());
        if (grants.areAny()) {
            grants.grant(database, connection);
        }
    }

    /** Adds missing constraints on ids. A start does not wait for a silent database, but for one that is at work. */
    public void constrain(Set<String> skipped) {
        if (!options.idConstraints()) {
            return;
        }
        Answers<Boolean> missing = all.without(skipped)
                .run(
                        WAIT,
                        AFTER_FIRST,
                        (name, connection) -> IdConstraints.areMissing(connection, options.colocated()));
        Set<String> some = missing.results().entrySet().stream()
                .filter(Map.Entry::getValue)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        eachReached(
                some,
                (name, connection) ->
                        IdConstraints.complete(name, connection, definition.layout(), options.colocated()));
    }

    /** Returns the smallest of the databases that have a complete shard, if there are any: a start that is repeated migrates no further one. */
    private static @Nullable DatabaseState smallest(
            ClusterPicture picture, Set<String> working, WantedMigrations wanted) {
        Predicate<DatabaseState> complete =
                state -> state.shards().stream().anyMatch(shard -> DatabaseState.isComplete(shard, wanted));
        return working.isEmpty()
                ? null
                : picture.states().stream()
                        .filter(state -> working.contains(state.name()) || complete.test(state))
                        .filter(state -> state.shards().stream().anyMatch(shard -> shard.creating() || shard.active()))
                        .min(Comparator.comparing((DatabaseState state) -> !complete.test(state))
                                .thenComparing(state -> state.shards().size()))
                        .orElse(null);
    }

    /** Repairs the histories of the schemas whose migrations are not complete; no script runs. */
    public void repair() {
        Answers<DatabaseState> answers = inspectAtLength(all);
        WantedMigrations wanted = wanted(answers, WITHOUT_END);
        ClusterPicture picture = picture(answers, wanted);
        warn(picture);
        eachReached(select(picture, DatabaseState::provisioned), (name, connection) -> work(name, connection, wanted)
                .repair(global));
        EveryDatabase.requireRepaired(skipped);
    }

    /** Compares the shards; changes nothing. Zero waits without end for the inspection of the shards. */
    public DriftReport drift(Duration longest) {
        Answers<DatabaseState> answers = longest.isZero() ? inspect(all) : all.runClosing(longest, DatabaseState::read);
        WantedMigrations wanted = wanted(answers, longest);
        ClusterPicture picture = picture(answers, wanted);
        EveryDatabase some = all.only(select(picture, DatabaseState::provisioned));
        DriftReport report = new DriftInspection(some, wanted.fingerprint(), migrations, longest).report();
        Map<String, String> unreachable = new TreeMap<>(picture.down());
        unreachable.putAll(report.unreachable());
        return new DriftReport(report.shards(), unreachable);
    }

    /** Inspects only; everything that {@link #run} would do is an error. Returns the databases that could not be reached. */
    public Map<String, String> check() {
        Answers<DatabaseState> answers = inspect(all);
        WantedMigrations wanted = checked(answers, new RoleGrants(ClusterRoles.NONE, null), false);
        ClusterPicture picture = ClusterPicture.of(answers);
        Set<String> unprovisioned = select(picture, state -> !state.provisioned());
        Set<String> unfinished = select(picture, state -> state.isOutdated() || state.hasWork(wanted));
        unfinished.addAll(unfinishedGlobally(picture, unprovisioned));
        if (!unprovisioned.isEmpty() || !unfinished.isEmpty()) {
            throw new UnprovisionedException(
                    "The cluster is not completely provisioned: databases without the cluster's tables and functions "
                            + unprovisioned + ", with schemas or migrations missing " + unfinished
                            + ". Provision them first, with a user that may create schemas. Nothing was changed.");
        }
        warn(picture);
        return skipped;
    }

    /** Reports all mistakes at once, before anything is written in any database. */
    private WantedMigrations checked(Answers<DatabaseState> answers, RoleGrants grants, boolean provisions) {
        requireAny(answers);
        boolean isNew = provisions && !ClusterPicture.of(answers).established();
        AtomicReference<WantedMigrations> wanted = new AtomicReference<>(WantedMigrations.NONE);
        Workers.<RuntimeException>runAll(List.of(
                () -> {
                    WantedMigrations read = wanted(answers, WITHOUT_END);
                    wanted.set(provisions ? read.finishing() : read);
                },
                () -> picture(answers, Objects.requireNonNull(wanted.get())),
                () -> requirePreconditions(answers.results().keySet(), grants),
                () -> EveryDatabase.requireAll(isNew ? answers.unreachable() : Map.of()),
                () -> {
                    if (isNew) {
                        ShardRanges.checkCover(definition.initialShards(), definition.shardCount());
                    }
                }));
        return Objects.requireNonNull(wanted.get());
    }

    private void requirePreconditions(Set<String> reached, RoleGrants grants) {
        CommonSchemas common = migrations.commonSchemas();
        if (grants.areAny() || !common.names().isEmpty() || global != null) {
            each(
                    reached,
                    (database, connection) -> Workers.<SQLException>runAll(List.of(
                            () -> requireSchemas(database, connection),
                            () -> grants.requireRoles(database, connection),
                            () -> {
                                if (global != null && global.global().database().equals(database)) {
                                    global.migrations().fingerprint(connection);
                                }
                            })));
        }
    }

    private void requireSchemas(String database, Connection connection) throws SQLException {
        List<String> missing = new ArrayList<>();
        for (String name : migrations.commonSchemas().names()) {
            if (Sql.number(connection, EXISTS, name) == 0) {
                missing.add("'" + name + "'");
            }
        }
        if (!missing.isEmpty()) {
            throw new ProvisioningRefusedException(
                    Reason.MISSING_OBJECT,
                    "Database " + database + " has no schema " + String.join(", ", missing)
                            + ", which sharded-id.common-schemas names. Create it there, or correct the property: names are"
                            + " case-sensitive and have no quotes. Nothing was changed.");
        }
    }

    private void warn(ClusterPicture picture) {
        picture.down().forEach(this::skip);
    }

    private void skip(String name, String reason) {
        skipped.put(name, reason);
        LOG.warn("Database {} cannot be reached and is skipped: {}", name, reason);
    }

    private static Answers<DatabaseState> inspect(EveryDatabase some) {
        return some.run(WAIT, AFTER_FIRST, DatabaseState::read);
    }

    private static Answers<DatabaseState> inspectAtLength(EveryDatabase some) {
        return some.run(WAIT, DatabaseState::read);
    }

    private static Answers<DatabaseState> requireAny(Answers<DatabaseState> answers) {
        if (answers.results().isEmpty()) {
            throw new DatabasesUnreachableException("None of the cluster's databases can be reached: "
                    + answers.unreachable() + ". Start one of them at least, all if the cluster is new.");
        }
        return answers;
    }

    /**
     * Reads the fingerprint of this instance's migrations, and finds shards that an instance of a newer version has migrated further. Waits
     * for a database for so long, or, if that is zero, without end.
     */
    private WantedMigrations wanted(Answers<DatabaseState> answers, Duration longest) {
        Map<String, DatabaseState> states = requireAny(answers).results();
        Answers<Optional<String>> own = all.only(
                        Set.of(states.keySet().iterator().next()))
                .runClosing(longest, (name, connection) -> Optional.ofNullable(migrations.fingerprint(connection)));
        EveryDatabase.requireAll(own.unreachable());
        WantedMigrations wanted =
                new WantedMigrations(own.results().values().iterator().next().orElse(null), Set.of());
        List<String> unsure = states.values().stream()
                .filter(state -> wanted.isUnsure(state.shards()))
                .map(DatabaseState::name)
                .toList();
        return all
                .only(unsure)
                .runClosing(
                        longest,
                        (name, connection) -> wanted.learn(
                                connection,
                                name,
                                Transaction.read(connection, () -> StoredShard.readAll(connection)),
                                migrations))
                .results()
                .values()
                .stream()
                .reduce(wanted, WantedMigrations::and);
    }

    /** Answers become a picture once they have passed the checks. */
    private ClusterPicture picture(Answers<DatabaseState> answers, WantedMigrations wanted) {
        Collection<DatabaseState> states = answers.results().values();
        Workers.<RuntimeException>runAll(List.of(
                () -> new ClusterValidation(definition, wanted).check(states),
                () -> {
                    if (global != null) {
                        global.check(states);
                    }
                },
                () -> EpochCheck.requireTime(definition.layout(), clock.instant())));
        return ClusterPicture.of(answers);
    }

    private ClusterPicture created(WantedMigrations wanted) {
        onAll(
                Set.of(Collections.min(databases.keySet())),
                (name, connection) -> provisionFirst(wanted, name, connection));
        return picture(inspectAtLength(all), wanted);
    }

    /** Creates the cluster under a lock on the first database by name, so that the cluster gets one id. */
    private void provisionFirst(WantedMigrations wanted, String first, Connection connection) throws SQLException {
        try (SessionLock lock = SessionLock.onCluster(first, connection)) {
            Set<String> others = new TreeSet<>(databases.keySet());
            others.remove(first);
            Answers<DatabaseState> answers = inspectAtLength(all.only(others));
            answers.results().put(first, DatabaseState.read(first, connection));
            ClusterPicture picture = picture(answers, wanted);
            EveryDatabase.requireAll(picture.down());
            if (picture.established()) {
                return; // by another instance, while this one waited
            }
            UUID stored = picture.clusterId();
            UUID clusterId = stored == null ? UUID.randomUUID() : stored;
            LOG.info(
                    "Provisioning cluster {} of {} shards on {}",
                    clusterId,
                    definition.shardCount(),
                    databases.keySet());
            MetaInstallation installation = new MetaInstallation(definition, clusterId);
            installation.first(first, connection);
            onAll(others, installation::first);
            MetaInstallation.markProvisioned(connection);
            onAll(others, (name, other) -> MetaInstallation.markProvisioned(other));
        }
    }

    /**
     * The states of all databases, checked against the configuration.
     *
     * @param states of the databases that were reached
     * @param down the others, each with a reason
     */
    private record ClusterPicture(Collection<DatabaseState> states, Map<String, String> down) {
        static ClusterPicture of(Answers<DatabaseState> answers) {
            return new ClusterPicture(answers.results().values(), answers.unreachable());
        }

        boolean established() {
            return states.stream().anyMatch(DatabaseState::provisioned);
        }

        /** The id that some database has stored, or null. */
        @Nullable
        UUID clusterId() {
            return states.stream()
                    .map(DatabaseState::cluster)
                    .flatMap(Stream::ofNullable)
                    .map(StoredCluster::clusterId)
                    .findFirst()
                    .orElse(null);
        }
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
                .run(WITHOUT_END, (name, connection) -> {
                    SearchPath.pinned(connection, () -> step.on(name, connection));
                    return name;
                })
                .unreachable();
    }

    /** New databases join the cluster; those that a crash left incomplete are completed. */
    private void join(ClusterPicture picture) {
        Set<String> outside = select(picture, state -> !state.provisioned());
        MetaInstallation installation = new MetaInstallation(definition, Objects.requireNonNull(picture.clusterId()));
        eachReached(outside, (name, connection) -> {
            installation.added(name, connection);
            MetaInstallation.markProvisioned(connection);
        });
    }

    private DatabaseWork work(String name, Connection connection, WantedMigrations wanted) {
        DataSource source = Objects.requireNonNull(databases.get(name));
        return new DatabaseWork(name, source, connection, migrations, wanted, options);
    }

    /** With {@code reports}, a failed script is reported with that of the first shard. */
    private void workGlobally(ClusterPicture picture, boolean reports) {
        if (global == null || picture.down().containsKey(global.global().database())) {
            return;
        }
        try {
            eachReached(Set.of(global.global().database()), global::run);
        } catch (ShardMigrationException e) {
            ShardMigrationException ofShard = failure.get();
            if (!reports) {
                throw e;
            } else if (ofShard == null) {
                failure.set(e);
            } else {
                ofShard.addSuppressed(e);
            }
        }
    }

    private Set<String> unfinishedGlobally(ClusterPicture picture, Set<String> unprovisioned) {
        String home = global == null ? "" : global.global().database();
        if (global == null || picture.down().containsKey(home) || unprovisioned.contains(home)) {
            return Set.of();
        }
        boolean needed = all.only(Set.of(home))
                .run(WAIT, (name, connection) -> global.isNeeded(connection))
                .results()
                .getOrDefault(home, false);
        return needed ? Set.of(home) : Set.of();
    }

    private static Set<String> select(ClusterPicture picture, Predicate<DatabaseState> wanted) {
        return picture.states().stream()
                .filter(wanted)
                .map(DatabaseState::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
