package io.github.shardedid.provisioning.internal;

import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.Interruption;
import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The runs that create or migrate schemas in a database and have not ended, each identified by its scripts. Written while the
 * database's lock is held.
 */
final class RunJournal {
    private static final String BEGIN =
            "INSERT INTO sharded_id.run (kind, fingerprint, versioned) VALUES (?, ?, ?) ON CONFLICT (kind, fingerprint)"
                    + " DO UPDATE SET versioned = excluded.versioned, started = clock_timestamp(), failure = NULL";

    /** Also the earlier runs whose scripts this one has run, too. Not those with other scripts: their shards differ from the rest. */
    private static final String END = "DELETE FROM sharded_id.run WHERE kind = ? AND versioned <@ ?";

    private final Connection connection;
    private final Kind kind;
    private final SchemaMigrations migrations;

    RunJournal(Connection connection, Kind kind, SchemaMigrations migrations) {
        this.connection = connection;
        this.kind = kind;
        this.migrations = migrations;
    }

    /** The schemas that a run works on. */
    enum Kind {
        /** The shards of the database. */
        SHARDS,
        /** The schema of the global entities. */
        GLOBAL
    }

    /** A run that has not ended. */
    record Unfinished(Kind kind, String fingerprint, Instant started, @Nullable String failure) {}

    /** Reads the runs that have not ended; none if the table does not exist yet. */
    static List<Unfinished> read(Connection connection) throws SQLException {
        return Sql.number(connection, "SELECT count(pg_catalog.to_regclass('sharded_id.run'))") == 0
                ? List.of()
                : Sql.query(
                        connection,
                        "SELECT * FROM sharded_id.run ORDER BY started",
                        row -> new Unfinished(
                                Kind.valueOf(row.getString("kind")),
                                row.getString("fingerprint"),
                                Objects.requireNonNull(row.getObject("started", OffsetDateTime.class))
                                        .toInstant(),
                                row.getString("failure")));
    }

    /** Forgets all runs of a kind, as an operator says that none is to be finished. */
    static void forget(Connection connection, Kind kind) throws SQLException {
        if (read(connection).stream().anyMatch(run -> run.kind() == kind)) {
            Sql.update(connection, "DELETE FROM sharded_id.run WHERE kind = ?", kind.name());
        }
    }

    /** Returns whether an earlier run of the same scripts has not ended. */
    boolean isUnfinished() throws SQLException {
        List<Unfinished> runs =
                read(connection).stream().filter(run -> run.kind() == kind).toList();
        if (runs.isEmpty()) {
            return false;
        }
        String own = migrations.scriptSet(connection).fingerprint();
        return runs.stream().anyMatch(run -> run.fingerprint().equals(own));
    }

    /** Records a run until it has ended. A run that fails stays, with the reason; one whose process dies stays without. */
    void during(Sql.Work work) throws SQLException {
        ScriptSet scripts = migrations.scriptSet(connection);
        Sql.update(connection, BEGIN, kind.name(), scripts.fingerprint(), scripts.versioned());
        try {
            work.run();
        } catch (SQLException | RuntimeException e) {
            if (!Interruption.is(e) && !Thread.currentThread().isInterrupted()) {
                failed(scripts, e);
            }
            throw e;
        }
        Sql.update(connection, END, kind.name(), scripts.versioned());
    }

    private void failed(ScriptSet scripts, Exception e) {
        try {
            Sql.update(
                    connection,
                    "UPDATE sharded_id.run SET failure = ? WHERE kind = ? AND fingerprint = ?",
                    FailureReason.of(e),
                    kind.name(),
                    scripts.fingerprint());
        } catch (SQLException second) {
            e.addSuppressed(second);
        }
    }
}
