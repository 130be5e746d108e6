package io.github.shardedid.provisioning.internal.liquibase;

import io.github.shardedid.provisioning.ShardMigrationException;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import liquibase.change.AbstractSQLChange;
import liquibase.change.Change;
import liquibase.changelog.ChangeSet;
import liquibase.precondition.core.PreconditionContainer;
import liquibase.precondition.core.PreconditionContainer.ErrorOption;
import liquibase.precondition.core.PreconditionContainer.FailOption;
import liquibase.util.StringUtil;
import org.jspecify.annotations.Nullable;

/** Refuses change sets after which shards could differ, or could never be known to be up to date. */
final class ChangeSetRules {
    private static final Pattern TRANSACTION_END = Pattern.compile(
            "(commit|end|abort|prepare\\s+transaction|rollback(?!\\s+((work|transaction)\\s+)?to\\b))\\b",
            Pattern.CASE_INSENSITIVE);

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
        if (one.isRunInTransaction() && one.getChanges().stream().anyMatch(ChangeSetRules::endsTransaction)) {
            return "ends its transaction by COMMIT or ROLLBACK, so that it could run twice, or be recorded without its changes."
                    + " Remove these statements, or set runInTransaction to false.";
        }
        PreconditionContainer conditions = one.getPreconditions();
        return conditions != null
                        && (conditions.getOnFail() == FailOption.CONTINUE
                                || conditions.getOnError() == ErrorOption.CONTINUE)
                ? "has a precondition with CONTINUE, so that it would never be done. Use MARK_RAN or HALT."
                : null;
    }

    private static boolean endsTransaction(Change change) {
        return change instanceof AbstractSQLChange text
                && text.getSql() != null
                && Stream.of(StringUtil.processMultiLineSQL(
                                text.getSql(),
                                true,
                                !Boolean.FALSE.equals(text.isSplitStatements()),
                                text.getEndDelimiter()))
                        .anyMatch(statement ->
                                TRANSACTION_END.matcher(statement.strip()).lookingAt());
    }
}
