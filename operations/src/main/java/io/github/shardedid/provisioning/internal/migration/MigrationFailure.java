package io.github.shardedid.provisioning.internal.migration;

import io.github.shardedid.operations.internal.FailureReason;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.exception.FlywayValidateException;
import org.flywaydb.core.internal.exception.FlywayMigrateException;
import org.flywaydb.core.internal.sqlscript.FlywaySqlScriptException;

/** The message of a failed migration: the script, the shard, and what to do. */
final class MigrationFailure {
    private MigrationFailure() {}

    /** One line; {@code where} names the shard and the database. */
    static String message(FlywayException e, String where) {
        if (e instanceof FlywayValidateException) {
            return "The scripts do not fit the history of " + where + ": " + FailureReason.of(e)
                    + ". After a script that failed outside of a transaction: undo by hand what it did there, correct it, and"
                    + " repair the histories (Provisioner.repair(), --sharded-id.repair-migrations). A script that has run must not be"
                    + " changed: put it back, and add another.";
        }
        boolean whole = !(e instanceof FlywayMigrateException one) || one.isExecutableInTransaction();
        return "The migration " + script(e) + " failed in " + where + line(e) + ": " + FailureReason.of(e)
                + ". What ran before stays. "
                + (!whole
                        ? "The script ran outside of a transaction: undo by hand what it did there, correct it, repair the histories"
                                + " (Provisioner.repair(), --sharded-id.repair-migrations) and provision again: it continues there."
                        : "Repair the script and provision again: it continues there.");
    }

    private static String script(FlywayException e) {
        return e instanceof FlywayMigrateException failed && failed.getMigration() != null
                ? failed.getMigration().getScript()
                : "run";
    }

    private static String line(Throwable e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof FlywaySqlScriptException script) {
                return ", in the statement at line " + script.getLineNumber();
            }
        }
        return "";
    }
}
