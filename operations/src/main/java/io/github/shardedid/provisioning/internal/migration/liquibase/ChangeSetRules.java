package io.github.shardedid.provisioning.internal.migration.liquibase;

import io.github.shardedid.provisioning.ShardMigrationException;
import java.util.List;
import liquibase.changelog.ChangeSet;
import liquibase.precondition.core.PreconditionContainer;
import liquibase.precondition.core.PreconditionContainer.ErrorOption;
import liquibase.precondition.core.PreconditionContainer.FailOption;
import org.jspecify.annotations.Nullable;

/** Refuses change sets after which shards could differ, or could never be known to be up to date. */
final class ChangeSetRules {
    private ChangeSetRules() {}

    static void check(List<ChangeSet> changeSets) {
        for (ChangeSet one : changeSets) {
            String wrong = wrong(one);
            if (wrong != null) {
                throw new ShardMigrationException(
                        "Change set " + one.toString(false) + " " + wrong + " Nothing was changed.",
                        new IllegalArgumentException(one.toString(false)));
            }
        }
    }

    private static @Nullable String wrong(ChangeSet one) {
        if (one.shouldAlwaysRun()) {
            return "has runAlways, but a shard that is up to date is left alone. Use runOnChange.";
        }
        if (Boolean.FALSE.equals(one.getFailOnError())) {
            return "has failOnError=false, after which shards could differ. Use a precondition with onFail MARK_RAN.";
        }
        if (one.getRunWith() != null && !one.getRunWith().equals("jdbc")) {
            return "has runWith=" + one.getRunWith() + ", which does not use the connection to the shard. Remove it.";
        }
        PreconditionContainer conditions = one.getPreconditions();
        return conditions != null
                        && (conditions.getOnFail() == FailOption.CONTINUE
                                || conditions.getOnError() == ErrorOption.CONTINUE)
                ? "has a precondition with CONTINUE, so that it would never be done. Use MARK_RAN or HALT."
                : null;
    }
}
