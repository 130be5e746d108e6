package io.github.shardedid.move.internal.plan;

import io.github.shardedid.move.MovePlan;
import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.PlannedMove;
import io.github.shardedid.move.RecordedPlan;
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
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The plans in {@code sharded_id.plan} of one database. Safe for use by several threads. */
public final class PlanJournal {
    private static final int TEXTS = 4;

    /**
     * Not one that has just begun: its process may be about to take the lock. Nor one that has not changed for a day, as in a
     * database that was restored from a backup: the cluster is no longer the one that was planned for.
     */
    private static final String ABANDONED = "SELECT * FROM sharded_id.plan WHERE state = 'RUNNING' AND changed BETWEEN"
            + " clock_timestamp() - interval '1 day' AND clock_timestamp() - interval '2 s' ORDER BY number";

    private static final String PRESENT = "SELECT pg_catalog.to_regclass('sharded_id.plan') IS NOT NULL";

    private final String database;
    private final Connection connection;

    PlanJournal(String database, Connection connection) {
        this.database = database;
        this.connection = connection;
    }

    /** Also forgets plans that have ended a week ago. */
    synchronized RecordedPlan begin(MovePlan plan, boolean offline) throws SQLException {
        if (!Sql.is(connection, PRESENT)) {
            throw new MoveRefusedException("Schema sharded_id of database " + database + " has no journal of plans yet."
                    + " Start an instance of this version of the application once; nothing was changed.");
        }
        Sql.update(
                connection,
                "DELETE FROM sharded_id.plan WHERE state <> 'RUNNING' AND changed < clock_timestamp() - interval '7 days'");
        List<String> texts = plan.moves().stream()
                .flatMap(move -> Stream.of(
                        Integer.toString(move.shard()), move.source(), move.target(), Long.toString(move.bytes())))
                .toList();
        return one("INSERT INTO sharded_id.plan (offline, moves) VALUES (?, ?) RETURNING *", offline, texts);
    }

    /** Newest first; none if there is no journal yet. */
    synchronized List<RecordedPlan> all() throws SQLException {
        return Sql.is(connection, PRESENT)
                ? Sql.query(connection, "SELECT * FROM sharded_id.plan ORDER BY number DESC", this::of)
                : List.of();
    }

    /** The plans whose processes have died. */
    public static List<RecordedPlan> abandoned(String database, Connection connection) throws SQLException {
        List<RecordedPlan> abandoned = new ArrayList<>();
        if (Sql.is(connection, PRESENT)) {
            for (RecordedPlan each : Sql.query(connection, ABANDONED, new PlanJournal(database, connection)::of)) {
                if (!SessionLock.isHeldOnPlan(connection, numberOf(each.id()))) {
                    abandoned.add(each);
                }
            }
        }
        return abandoned;
    }

    synchronized boolean isRunning(String id) throws SQLException {
        return Sql.is(connection, "SELECT state = 'RUNNING' FROM sharded_id.plan WHERE number = ?", numberOf(id));
    }

    /** Records how many of the moves have ended. */
    synchronized RecordedPlan done(String id, int done) throws SQLException {
        return one(
                "UPDATE sharded_id.plan SET done = ?, changed = clock_timestamp() WHERE number = ? RETURNING *",
                done,
                numberOf(id));
    }

    /** Ends a plan, unless it has ended before; returns its final state. */
    synchronized RecordedPlan end(String id, State state, @Nullable String failure) throws SQLException {
        Sql.update(
                connection,
                "UPDATE sharded_id.plan SET state = ?, failure = ?, changed = clock_timestamp() WHERE number = ?"
                        + " AND state = 'RUNNING'",
                state.name(),
                failure,
                numberOf(id));
        return one("SELECT * FROM sharded_id.plan WHERE number = ?", numberOf(id));
    }

    private RecordedPlan one(String sql, Object... parameters) throws SQLException {
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
        String[] texts = (String[]) row.getArray("moves").getArray();
        List<PlannedMove> moves = IntStream.iterate(0, at -> at < texts.length, at -> at + TEXTS)
                .mapToObj(at -> new PlannedMove(
                        Integer.parseInt(texts[at]), texts[at + 1], texts[at + 2], Long.parseLong(texts[at + 3])))
                .toList();
        return new RecordedPlan(
                database + "-" + row.getInt("number"),
                moves,
                row.getBoolean("offline"),
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
