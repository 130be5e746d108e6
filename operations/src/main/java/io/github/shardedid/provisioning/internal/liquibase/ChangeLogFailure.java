package io.github.shardedid.provisioning.internal.liquibase;

import io.github.shardedid.operations.internal.FailureReason;
import java.sql.SQLException;
import liquibase.changelog.ChangeSet;
import liquibase.exception.ValidationFailedException;
import org.jspecify.annotations.Nullable;

/** The message of a failed change log: the change set, the shard, and what to do. */
final class ChangeLogFailure {
    private ChangeLogFailure() {}

    /** One line; {@code where} names the shard and the database. */
    static String message(Exception e, @Nullable ChangeSet running, String where) {
        if (cause(e) instanceof ValidationFailedException) {
            return "The change log does not fit the history of " + where + ": " + reason(e)
                    + ". A change set that has run must not be changed: put it back, and add another. If the change is meant,"
                    + " repair the histories (Provisioner.repair(), --sharded-id.repair-migrations).";
        }
        if (running == null) {
            return "The change log failed in " + where + ": " + reason(e)
                    + ". What ran before stays. Remove the cause and provision again: it continues there.";
        }
        return "The change set " + running.toString(false) + " failed in " + where + ": " + reason(e)
                + ". What ran before stays. "
                + (running.isRunInTransaction()
                        ? "Correct the change set and provision again: it continues there."
                        : "The change set ran outside of a transaction: undo by hand what it did there, correct it and provision"
                                + " again: it continues there.");
    }

    /** Returns what the database said, or else the innermost message, in one line without a full stop. */
    static String reason(Throwable failure) {
        return FailureReason.of(cause(failure)).replaceAll("\\s+", " ").replaceFirst("\\.$", "");
    }

    private static Throwable cause(Throwable failure) {
        Throwable cause = failure;
        while (!(cause instanceof SQLException || cause instanceof ValidationFailedException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
