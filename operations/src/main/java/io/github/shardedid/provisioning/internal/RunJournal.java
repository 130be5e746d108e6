package io.github.shardedid.provisioning.internal;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.Inquiry;
import io.github.shardedid.operations.internal.SessionLock;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.StoredCluster;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The runs that create or migrate schemas in a database and have not ended, each identified by its scripts. Written while the
 * database's lock is held. The run of a process that has died is completed by an instance with the same scripts; nothing is undone:
 * PostgreSQL has rolled back the script that was interrupted, and those before it stay.
 */
public final class RunJournal {
    private static final Logger LOG = LoggerFactory.getLogger(RunJournal.class);
    private static final Duration WAIT = Duration.ofSeconds(2);

    private static final String BEGIN = Sql.load(RunJournal.class, "begin_run.sql");

    /** Also the earlier runs whose scripts this one has run, too. Not those with other scripts: their shards differ from the rest. */
    private static final String END = "DELETE FROM sharded_id.run WHERE kind = ? AND versioned <@ ?";

    private static final String FAILED = "DELETE FROM sharded_id.run WHERE kind = ? AND fingerprint = ?";
    private static final String UNFINISHED = "SELECT fingerprint FROM sharded_id.run WHERE kind = ?";

    private final Setup setup;
    private final Inquiry<Boolean> inquiry = Inquiry.pinned(WAIT, (name, connection) -> isAbandoned(connection));

    /** The journals of several databases. Asks no database yet. */
    public RunJournal(Setup setup) {
        this.setup = setup;
    }

    /** The schemas that a run works on. */
    enum Kind {
        /** The shards of the database. */
        SHARDS,
        /** The schema of the global entities. */
        GLOBAL
    }

    /** Returns whether an earlier run of the same scripts has not ended. */
    static boolean isUnfinished(Connection connection, Kind kind, SchemaMigrations migrations) throws SQLException {
        List<String> runs = Sql.strings(connection, UNFINISHED, kind.name());
        return !runs.isEmpty() && runs.contains(migrations.scriptSet(connection).fingerprint());
    }

    /** Records a run until it ends, or fails, which the caller reports. One whose process dies, or loses its connection, stays. */
    static void during(Connection connection, Kind kind, SchemaMigrations migrations, Sql.Work work)
            throws SQLException {
        ScriptSet scripts = migrations.scriptSet(connection);
        Sql.update(connection, BEGIN, kind.name(), scripts.fingerprint(), scripts.versioned());
        try {
            work.run();
        } catch (SQLException | RuntimeException e) {
            if (!FailureReason.isInterruption(e) && !Thread.currentThread().isInterrupted() && !connection.isClosed()) {
                Sql.update(connection, FAILED, kind.name(), scripts.fingerprint());
            }
            throw e;
        }
        Sql.update(connection, END, kind.name(), scripts.versioned());
    }

    /**
     * Completes the runs with the scripts of this instance. Databases that cannot be asked are asked the next time.
     *
     * @param provision creates and migrates what is missing
     * @return why that has failed; empty if it has not
     */
    public synchronized List<String> complete(Runnable provision) {
        if (inquiry.ask(setup.databases()).results().containsValue(true)) {
            LOG.info("Provisioning was abandoned by its process; resuming it");
            try {
                provision.run();
                LOG.info("Provisioning is complete");
            } catch (ShardedIdException e) {
                LOG.warn("Provisioning could not be completed: {}", FailureReason.of(e));
                return List.of("Provisioning, whose process has died, could not be completed: " + FailureReason.of(e));
            }
        }
        return List.of();
    }

    private boolean isAbandoned(Connection connection) throws SQLException {
        GlobalWork global = setup.global();
        return StoredCluster.isOwned(connection, "run")
                && (isUnfinished(connection, Kind.SHARDS, setup.migrations())
                        || (global != null && isUnfinished(connection, Kind.GLOBAL, global.migrations())))
                && SessionLock.holder(connection, SessionLock.DATABASE) == null;
    }
}
