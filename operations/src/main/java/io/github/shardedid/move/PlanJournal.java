package io.github.shardedid.move;

import io.github.shardedid.move.RecordedPlan.State;
import io.github.shardedid.operations.internal.SessionLock;
import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The plans in {@code sharded_id.standing_order} of one database. Not safe for use by several threads. */
final class PlanJournal {
    private static final String RUNNING = "SELECT * FROM sharded_id.standing_order WHERE state = 'RUNNING'";

    /**
     * Not one that has just begun: its process may be about to take the lock. Nor one that has not changed for a day, as in a
     * database that was restored from a backup: the cluster is no longer the one that was planned for.
     */
    private static final String ABANDONED = RUNNING + " AND changed BETWEEN clock_timestamp() - interval '1 day'"
            + " AND clock_timestamp() - interval '2 s' ORDER BY number";

    private static final String FORGOTTEN = RUNNING + " AND changed < clock_timestamp() - interval '1 day'";

    /** The last one, if it has failed. */
    private static final String FAILED = "SELECT * FROM sharded_id.standing_order o WHERE o.state = 'FAILED'"
            + " AND NOT EXISTS (SELECT FROM sharded_id.standing_order n WHERE n.number > o.number)";

    private static final String READABLE =
            "SELECT coalesce(pg_catalog.has_table_privilege(pg_catalog.to_regclass('sharded_id.standing_order'), 'SELECT'), false)";

    private final String database;
    private final Connection connection;

    PlanJournal(String database, Connection connection) {
        this.database = database;
        this.connection = connection;
    }

    /** Also forgets plans that have ended a week ago. */
    RecordedPlan begin(MovePlan plan, boolean offline) throws SQLException {
        if (!Sql.is(connection, READABLE)) {
            throw new MoveRefusedException("Schema sharded_id of database " + database + " has no table of plans yet."
                    + " Start an instance of this version of the application once; nothing was changed.");
        }
        Sql.update(
                connection,
                "DELETE FROM sharded_id.standing_order WHERE state <> 'RUNNING' AND changed < clock_timestamp() - interval '7 days'");
        return one(
                "INSERT INTO sharded_id.standing_order (kind, subject, target, offline, total) VALUES (?, ?, ?, ?, ?)"
                        + " RETURNING *",
                plan.goal().kind().name(),
                plan.goal().subject(),
                plan.goal().target(),
                offline,
                plan.moves().size());
    }

    /** Newest first; none if the role may not read them, or there is no table yet. */
    List<RecordedPlan> all() throws SQLException {
        return read("SELECT * FROM sharded_id.standing_order ORDER BY number DESC");
    }

    private List<RecordedPlan> read(String sql) throws SQLException {
        return Sql.is(connection, READABLE) ? Sql.query(connection, sql, this::of) : List.of();
    }

    /** The plans whose processes have died. */
    static List<RecordedPlan> abandoned(String database, Connection connection) throws SQLException {
        return withoutProcess(database, connection, ABANDONED);
    }

    private static List<RecordedPlan> withoutProcess(String database, Connection connection, String sql)
            throws SQLException {
        List<RecordedPlan> found = new ArrayList<>();
        for (RecordedPlan each : new PlanJournal(database, connection).read(sql)) {
            if (!SessionLock.isHeldOnPlan(connection, numberOf(each.id()))) {
                found.add(each);
            }
        }
        return found;
    }

    /** The plans that do not go on by themselves, a text each with what to do. */
    static List<String> problems(String database, Connection connection) throws SQLException {
        List<String> problems = new ArrayList<>();
        for (RecordedPlan failed : new PlanJournal(database, connection).read(FAILED)) {
            problems.add(title(failed) + " has failed: " + failed.failure()
                    + " Remove the cause and begin it again; or stop it" + wayOut(failed));
        }
        for (RecordedPlan forgotten : withoutProcess(database, connection, FORGOTTEN)) {
            problems.add(title(forgotten) + " has not changed since " + forgotten.changed()
                    + ", and is left to you: it may be of a backup. Stop it" + wayOut(forgotten)
                    + " Begin it again if it is still wanted.");
        }
        return problems;
    }

    static String title(RecordedPlan plan) {
        return "Plan " + plan.id() + " (" + plan.goal() + ")";
    }

    private static String wayOut(RecordedPlan plan) {
        return ": --sharded-id.stop-plan=" + plan.id() + ".";
    }

    boolean isRunning(String id) throws SQLException {
        return Sql.is(
                connection, "SELECT state = 'RUNNING' FROM sharded_id.standing_order WHERE number = ?", numberOf(id));
    }

    /** Records how many of the moves are no longer to be made, and that the plan is being worked on. */
    RecordedPlan done(String id, int done) throws SQLException {
        return one(
                "UPDATE sharded_id.standing_order SET done = ?, changed = clock_timestamp() WHERE number = ? RETURNING *",
                done,
                numberOf(id));
    }

    /** Ends a plan that runs, or stops one that has failed; returns its final state. */
    RecordedPlan end(String id, State state, @Nullable String failure) throws SQLException {
        Sql.update(
                connection,
                "UPDATE sharded_id.standing_order SET state = ?, failure = coalesce(?, failure), changed = clock_timestamp()"
                        + " WHERE number = ? AND (state = 'RUNNING' OR state = 'FAILED' AND ? = 'STOPPED')",
                state.name(),
                failure,
                numberOf(id),
                state.name());
        return one("SELECT * FROM sharded_id.standing_order WHERE number = ?", numberOf(id));
    }

    private RecordedPlan one(String sql, @Nullable Object... parameters) throws SQLException {
        RecordedPlan plan = Sql.first(connection, sql, this::of, parameters);
        if (plan == null) {
            throw new MoveRefusedException("Database " + database + " has no such plan.");
        }
        return plan;
    }

    static String databaseOf(String id) {
        return id.substring(0, Math.max(0, id.lastIndexOf('-')));
    }

    static int numberOf(String id) {
        try {
            return Integer.parseInt(id.substring(id.lastIndexOf('-') + 1));
        } catch (NumberFormatException e) {
            throw new MoveRefusedException("There is no plan " + id + ". Ids are like pg1-3.");
        }
    }

    private RecordedPlan of(ResultSet row) throws SQLException {
        return new RecordedPlan(
                database + "-" + row.getInt("number"),
                new MoveGoal(
                        MoveGoal.Kind.valueOf(row.getString("kind")),
                        row.getString("subject"),
                        row.getString("target")),
                row.getBoolean("offline"),
                row.getInt("total"),
                row.getInt("done"),
                State.valueOf(row.getString("state")),
                instant(row, "started"),
                instant(row, "changed"),
                row.getString("failure"));
    }

    private static Instant instant(ResultSet row, String column) throws SQLException {
        return Objects.requireNonNull(row.getObject(column, OffsetDateTime.class))
                .toInstant();
    }
}
