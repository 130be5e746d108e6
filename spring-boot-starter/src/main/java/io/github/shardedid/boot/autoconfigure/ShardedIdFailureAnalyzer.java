package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.ClusterConfigurationException;
import io.github.shardedid.ClusterConfigurationException.Reason;
import io.github.shardedid.ShardedIdException;
import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.MoveUnfinishedException;
import io.github.shardedid.provisioning.ProvisioningException;
import io.github.shardedid.routing.DatabaseUnavailableException;
import io.github.shardedid.routing.NoShardException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains a failed start by the messages of the failures, and names the property or the command that helps. */
final class ShardedIdFailureAnalyzer extends AbstractFailureAnalyzer<Throwable> {
    private static final String FOLLOW = "Follow the description, and start again.";
    private static final String UNAVAILABLE =
            "Start the databases, or correct sharded-id.databases.<name>.url, username and"
                    + " password. A cluster that has been provisioned starts without some of its databases, a new one needs all.";
    private static final String MOVES =
            "Follow the description. --sharded-id.check-move reports the obstacles to a move;"
                    + " --sharded-id.resume-move continues one that has stopped, --sharded-id.abort-move takes it back.";

    private static final String MAPPINGS =
            "Correct the mappings and the repository methods, as described. Missing migrations have run: add a script that corrects them; where nothing is stored yet, correct the script itself after DROP SCHEMA … CASCADE of sharded_id, sharded_global and the shards in each database.";
    private static final String NO_SHARD =
            "Name a shard for the statement, for example with ShardContext.run(shard, …). A library whose tables belong to no shard needs the data source of the global database: set sharded-id.global.database.";

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable failure, Throwable same) {
        DatabaseUnavailableException unavailable = findCause(failure, DatabaseUnavailableException.class);
        if (unavailable != null) {
            return new FailureAnalysis(unavailable.getMessage(), UNAVAILABLE, unavailable);
        }
        ShardedIdException cause = findCause(failure, ShardedIdException.class);
        if (cause == null) {
            return null;
        }
        // The message of the mappings' problems contains those of the others.
        String description = cause instanceof ShardedIdMappingException
                ? String.valueOf(cause.getMessage())
                : joined(cause.all().map(Throwable::getMessage));
        return new FailureAnalysis(description, joined(cause.all().map(ShardedIdFailureAnalyzer::action)), cause);
    }

    private static String joined(Stream<@Nullable String> texts) {
        return texts.distinct().collect(Collectors.joining(System.lineSeparator()));
    }

    /** Returns what to do, in the words of Boot's properties. Core and operations do not know them. */
    private static String action(ShardedIdException failure) {
        if (failure instanceof ProvisioningException refused) {
            return action(refused.reason());
        } else if (failure instanceof ClusterConfigurationException wrong) {
            return action(wrong.reason());
        } else if (failure instanceof ShardedIdMappingException) {
            return MAPPINGS;
        } else if (failure instanceof NoShardException none && !none.isOfValue()) {
            return NO_SHARD;
        }
        return failure instanceof MoveRefusedException || failure instanceof MoveUnfinishedException ? MOVES : FOLLOW;
    }

    private static String action(Reason reason) {
        return switch (reason) {
            case SETTING -> "Correct the property, the bean or the annotation that the description names.";
            case SHARD_RANGES ->
                "Correct sharded-id.databases.<name>.shards: each shard must be in the ranges of exactly one database.";
            case FUTURE_EPOCH ->
                "Set sharded-id.epoch to an instant in the past, before the cluster is provisioned, or correct this machine's clock.";
            case PERSISTENCE_UNIT ->
                "Limit the packages of the persistence unit to classes without @ShardedId, or give it the sharded data source.";
            case SHARD_OWNERSHIP, REPLICA, EXHAUSTED_EPOCH -> FOLLOW;
        };
    }

    private static String action(ProvisioningException.Reason reason) {
        return switch (reason) {
            case LAYOUT_MISMATCH ->
                "Set sharded-id.epoch, sharded-id.shards, sharded-id.jvm-nodes and sharded-id.layout to what the databases"
                        + " store, or correct sharded-id.databases.<name>.url if these are the wrong databases.";
            case WRONG_DATABASE, DAMAGED_DATABASE ->
                "Correct sharded-id.databases.<name>.url and the name of the database, or restore what is missing in it as described.";
            case MISSING_OBJECT, MISSING_PRIVILEGE ->
                "Create the schema or the roles, grant what is missing, or correct sharded-id.databases.<name>.username, sharded-id.common-schemas or"
                        + " sharded-id.provisioning.";
            case DIFFERENT_GLOBAL ->
                "Set sharded-id.global.database and sharded-id.global.schema to where the global entities are.";
            case DIRECT_CONNECTION_REQUIRED ->
                "Set sharded-id.databases.<name>.direct-url to a URL of the server itself, past the pooler.";
            case UNSUPPORTED_VERSION ->
                "Upgrade the server or the application, or correct sharded-id.databases.<name>.url.";
            case MOVING_SHARDS ->
                "Finish or abort the moves of these shards, or start the version of the application with the same migrations.";
            case FAILED_MIGRATION ->
                "Correct the script or change log at sharded-id.migrations, sharded-id.global.migrations or sharded-id.liquibase, and start again: migration continues where it stopped. Where there are none, set that property to nothing.";
            case UNPROVISIONED ->
                "Start one instance with sharded-id.provisioning.enabled=true, as a user who may create schemas.";
            case UNREACHABLE_DATABASE -> UNAVAILABLE;
            case FAILED_STATEMENT -> FOLLOW;
        };
    }
}
