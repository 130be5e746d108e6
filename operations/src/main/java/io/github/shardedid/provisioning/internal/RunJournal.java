package io.github.shardedid.provisioning.internal;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.Inquiry;
import io.github.shardedid.operations.internal.Interruption;
import io.github.shardedid.operations.internal.SessionLock;
import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
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

    private static final String BEGIN =
            "INSERT INTO sharded_id.run (kind, fingerprint, versioned) VALUES (?, ?, ?) ON CONFLICT (kind, fingerprint)"
                    + " DO UPDATE SET versioned = excluded.versioned, started = clock_timestamp()";

    /** Also the earlier runs whose scripts this one has run, too. Not those with other scripts: their shards differ from the rest. */
    private static final String END = "DELETE FROM sharded_id.run WHERE kind = ? AND versioned <@ ?";

    private static final String FAILED = "DELETE FROM sharded_id.run WHERE kind = ? AND fingerprint = ?";
    private static final String UNFINISHED = "SELECT fingerprint FROM sharded_id.run WHERE kind = ?";

    /** Returns false also if there is no cluster. */
    private static final String OWNED = "SELECT coalesce((SELECT pg_catalog.pg_has_role(c.relowner, 'USAGE')"
            + " FROM pg_catalog.pg_class c WHERE c.oid = pg_catalog.to_regclass('sharded_id.run')), false)";

    private final Map<String, DataSource> databases;
    private final SchemaMigrations migrations;
    private final @Nullable GlobalWork global;
    private final Inquiry<Boolean> inquiry = Inquiry.pinned(WAIT, (name, connection) -> isAbandoned(connection));

    /** The journals of several databases. Asks no database yet. */
    public RunJournal(Map<String, DataSource> databases, SchemaMigrations migrations, @Nullable GlobalWork global) {
        this.databases = databases;
        this.migrations = migrations;
        this.global = global;
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
            if (!Interruption.is(e) && !Thread.currentThread().isInterrupted() && !connection.isClosed()) {
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
        if (inquiry.ask(databases).results().containsValue(true)) {
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
        return Sql.is(connection, OWNED)
                && (isUnfinished(connection, Kind.SHARDS, migrations)
                        || (global != null && isUnfinished(connection, Kind.GLOBAL, global.migrations())))
                && SessionLock.holder(connection, SessionLock.DATABASE) == null;
    }
}
