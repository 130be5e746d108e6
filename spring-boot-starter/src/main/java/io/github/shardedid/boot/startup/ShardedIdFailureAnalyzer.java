package io.github.shardedid.boot.startup;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.boot.autoconfigure.ConfiguredCluster;
import io.github.shardedid.boot.autoconfigure.ShardedIdPropertiesException;
import io.github.shardedid.hibernate.ForeignShardException;
import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.hibernate.UnshardedUnitException;
import io.github.shardedid.id.EpochExhaustedException;
import io.github.shardedid.id.FutureEpochException;
import io.github.shardedid.id.MalformedIdException;
import io.github.shardedid.move.MoveMismatchException;
import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.MoveUnfinishedException;
import io.github.shardedid.move.ShardMover;
import io.github.shardedid.provisioning.DatabasesUnreachableException;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ProvisioningFailedException;
import io.github.shardedid.provisioning.ProvisioningRefusedException;
import io.github.shardedid.provisioning.ShardMigrationException;
import io.github.shardedid.provisioning.UnprovisionedException;
import io.github.shardedid.routing.DatabaseUnavailableException;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.replica.ReplicaMismatchException;
import io.github.shardedid.topology.NoPlacementException;
import io.github.shardedid.topology.ShardOwnershipException;
import io.github.shardedid.topology.ShardRangesException;
import io.github.shardedid.topology.UnknownShardException;
import io.github.shardedid.topology.UnownedShardException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/** Explains a failed start: which property to correct, or which database is not available, and its address. */
final class ShardedIdFailureAnalyzer extends AbstractFailureAnalyzer<Throwable> {
    private static final String UNAVAILABLE =
            "Start the database, or correct sharded-id.databases.<name>.url, username and password. The application itself starts"
                    + " without it: change the code that used one of its shards at start-up to do so later, or to handle the failure.";

    private final Environment environment;

    ShardedIdFailureAnalyzer(Environment environment) {
        this.environment = environment;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable failure, Throwable same) {
        DatabaseUnavailableException unavailable = findCause(failure, DatabaseUnavailableException.class);
        if (unavailable != null) {
            return new FailureAnalysis(
                    withAddresses(String.valueOf(unavailable.getMessage())), UNAVAILABLE, unavailable);
        }
        ShardedIdException cause = findCause(failure, ShardedIdException.class);
        if (cause == null) {
            return null;
        }
        // The message of the mappings' problems contains those of the others.
        String description = cause instanceof ShardedIdMappingException
                ? String.valueOf(cause.getMessage())
                : joined(cause.all().map(Throwable::getMessage));
        return new FailureAnalysis(
                cause.all().anyMatch(ShardedIdFailureAnalyzer::isOfServers) ? withAddresses(description) : description,
                joined(cause.all().map(FailureActions::of)),
                cause);
    }

    private static String joined(Stream<@Nullable String> texts) {
        return texts.distinct().collect(Collectors.joining(System.lineSeparator()));
    }

    /** Thrown by provisioning or a move, so that somebody has to look at a server. */
    private static boolean isOfServers(ShardedIdException failure) {
        String thrownBy = failure.getClass().getPackageName();
        return thrownBy.startsWith(ShardMover.class.getPackageName())
                || thrownBy.startsWith(Provisioner.class.getPackageName());
    }

    /** The message, with a line for each database that it names. */
    private String withAddresses(String message) {
        String addresses = ConfiguredCluster.addresses(environment).entrySet().stream()
                .filter(each -> isNamed(each.getKey(), message))
                .map(ShardedIdFailureAnalyzer::line)
                .collect(Collectors.joining());
        return addresses.isEmpty() ? message : message + " Addresses:" + addresses;
    }

    private static boolean isNamed(String database, String message) {
        return Pattern.compile("(?<![\\w-])" + Pattern.quote(database) + "(?![\\w-])")
                .matcher(message)
                .find();
    }

    private static String line(Map.Entry<String, String> address) {
        return System.lineSeparator() + "    " + address.getKey() + ": " + address.getValue();
    }

    /** Says what to do about exceptions that stop the start. Their messages contain what happened. */
    static final class FailureActions {
        private static final String DATABASES = "sharded-id.databases.<name>";

        private static final Map<Class<? extends ShardedIdException>, String> ACTIONS = actions();

        private static Map<Class<? extends ShardedIdException>, String> actions() {
            Map<Class<? extends ShardedIdException>, String> actions = new LinkedHashMap<>();
            actions.put(
                    ShardedIdPropertiesException.class,
                    "Correct the property, the bean or the annotation that the description names.");
            actions.put(
                    ShardRangesException.class,
                    "Correct " + DATABASES + ".shards: each shard must be in the ranges of exactly one database.");
            actions.put(
                    FutureEpochException.class,
                    "Set sharded-id.epoch to an instant in the past, before the cluster is provisioned, or correct this"
                            + " machine's clock.");
            actions.put(
                    EpochExhaustedException.class,
                    "Correct this machine's clock, or provision new databases with a later sharded-id.epoch and move the rows"
                            + " there; sharded-id.epoch cannot be changed where there are ids.");
            actions.put(
                    ReplicaMismatchException.class,
                    "Correct " + DATABASES
                            + ".replicas[…].url, or remove the replica until it streams from its database.");
            actions.put(
                    DatabasesUnreachableException.class,
                    "Start the databases, or correct " + DATABASES
                            + ".url, username and password. A cluster that has been"
                            + " provisioned starts without some of its databases, a new one needs all.");
            actions.put(
                    ShardMigrationException.class,
                    "Correct the script at sharded-id.migrations or sharded-id.global.migrations, or the change log of sharded-id.liquibase, and"
                            + " start again: migration continues where it stopped."
                            + " Where there are no scripts, set that property to nothing.");
            actions.put(
                    UnprovisionedException.class,
                    "Start one instance with sharded-id.provisioning.enabled=true, as a user who may create schemas.");
            actions.put(
                    ProvisioningFailedException.class,
                    "Remove the cause of the database's error, and start again: provisioning continues where it stopped.");
            actions.put(
                    ShardOwnershipException.class,
                    "Compare sharded-id.databases with what the databases own in sharded_id.shard.");
            actions.put(
                    UnownedShardException.class,
                    "Start the database that owns the shard, or configure it under sharded-id.databases. If no database owns it after a"
                            + " restore, --sharded-id.recover shows the remaining copies.");
            actions.put(
                    ForeignShardException.class,
                    "Compare the id of the association only, such as comment.author.id, and load the rows of the other shard by their ids.");
            actions.put(
                    UnknownShardException.class,
                    "Name a shard from 0 to sharded-id.shards - 1; that number is fixed for the cluster's life.");
            actions.put(
                    NoPlacementException.class,
                    "Give a database that can be reached a weight above 0 in sharded-id.placement.weights.");
            actions.put(
                    MoveRefusedException.class,
                    "Follow the description, then retry; --sharded-id.check-move reports the obstacles to a move.");
            actions.put(
                    MoveMismatchException.class,
                    "Abort the move with --sharded-id.abort-move, or remove the cause and continue with --sharded-id.resume-move.");
            actions.put(
                    MoveUnfinishedException.class,
                    "Continue with --sharded-id.resume-move, or abort the move with --sharded-id.abort-move.");
            actions.put(
                    MalformedIdException.class, "Correct the id, or sharded-id.layout if the id has another layout.");
            actions.put(
                    UnshardedUnitException.class, // before its superclass
                    "Limit the packages of the persistence unit to classes without @ShardedId, or give it the sharded data source.");
            actions.put(
                    ShardedIdMappingException.class,
                    "Correct the mappings and the repository methods, as described. Migrations that were missing have run in one"
                            + " shard at most: add a script that corrects them; where nothing is stored yet, the script itself can be corrected"
                            + " after DROP SCHEMA … CASCADE of sharded_id, sharded_global and the shards in each database.");
            actions.put(
                    NoShardException.class,
                    "Name a shard for the statement, for example with ShardContext.run(shard, …). A library whose tables belong to no"
                            + " shard needs the data source of the global database: set sharded-id.global.database.");
            return actions;
        }

        private FailureActions() {}

        private static String of(ProvisioningRefusedException.Reason reason) {
            return switch (reason) {
                case LAYOUT_MISMATCH ->
                    "Set sharded-id.epoch, sharded-id.shards, sharded-id.jvm-nodes and sharded-id.layout to what the databases"
                            + " store, or correct " + DATABASES
                            + ".url if these are the wrong databases.";
                case WRONG_DATABASE ->
                    "Correct " + DATABASES
                            + ".url: all databases must be of one cluster, each configured once, and under the name"
                            + " that it was provisioned under.";
                case DAMAGED_DATABASE ->
                    "Restore the functions of schema sharded_id as described, or the schema of a shard from a backup of the database, and start"
                            + " again.";
                case MISSING_OBJECT ->
                    "Create the schema or the roles, or correct sharded-id.common-schemas or sharded-id.provisioning.";
                case MISSING_PRIVILEGE -> "Grant the missing privileges, or set " + DATABASES + ".username.";
                case DIFFERENT_GLOBAL ->
                    "Set sharded-id.global.database and sharded-id.global.schema to where the global entities are.";
                case DIRECT_CONNECTION_REQUIRED ->
                    "Set " + DATABASES + ".direct-url to a URL of the server itself, past the pooler.";
                case UNSUPPORTED_VERSION ->
                    "Upgrade the server, or start with the version of sharded-id that has provisioned the databases or a later one; or"
                            + " correct " + DATABASES + ".url.";
                case MOVING_SHARDS ->
                    "Finish or abort the moves of these shards, then start again; or start the version of the application with the"
                            + " same migrations.";
            };
        }

        static String of(ShardedIdException failure) {
            if (failure instanceof MoveRefusedException refused && refused.isDeferred()) {
                return "Retry when the other work has ended, or the database can be reached again.";
            }
            if (failure instanceof ProvisioningRefusedException refused) {
                return of(refused.reason());
            }
            return ACTIONS.entrySet().stream()
                    .filter(entry -> entry.getKey().isInstance(failure))
                    .map(Map.Entry::getValue)
                    .findFirst()
                    .orElse("Follow the description, and start again.");
        }

        /** Returns whether there is an action for exactly this class of failures, not only for a superclass. */
        static boolean isKnown(Class<?> failure) {
            return ACTIONS.containsKey(failure) || failure == ProvisioningRefusedException.class;
        }
    }
}
