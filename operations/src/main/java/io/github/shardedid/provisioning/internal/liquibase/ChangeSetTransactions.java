package io.github.shardedid.provisioning.internal.liquibase;

import liquibase.changelog.ChangeSet;
import liquibase.changelog.ChangeSet.ExecType;
import liquibase.changelog.ChangeSet.RunStatus;
import liquibase.changelog.DatabaseChangeLog;
import liquibase.changelog.visitor.AbstractChangeExecListener;
import liquibase.database.Database;
import org.jspecify.annotations.Nullable;

/** Defers commits from the beginning of a change set until its row is in the history, after which Liquibase commits once more. */
final class ChangeSetTransactions extends AbstractChangeExecListener {
    private final LentJdbcConnection connection;
    private @Nullable ChangeSet running;

    ChangeSetTransactions(LentJdbcConnection connection) {
        this.connection = connection;
    }

    /** The change set that has begun last and has not ended. */
    @Nullable
    ChangeSet running() {
        return running;
    }

    @Override
    public void willRun(ChangeSet changeSet, DatabaseChangeLog changeLog, Database database, RunStatus status) {
        running = changeSet;
        connection.beginChangeSet();
    }

    @Override
    public void ran(ChangeSet changeSet, DatabaseChangeLog changeLog, Database database, ExecType type) {
        running = null;
        connection.defer(false);
    }
}
