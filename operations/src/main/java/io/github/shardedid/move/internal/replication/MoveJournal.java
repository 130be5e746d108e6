package io.github.shardedid.move.internal.replication;

import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveStep;
import io.github.shardedid.operations.internal.SessionLock;
import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The row of one move in the source's {@code sharded_id.move}. */
public record MoveJournal(Connection connection, UUID id) {
    private static final String UNFINISHED = Sql.load(MoveJournal.class, "unfinished_moves.sql");
    private static final String SET = Sql.load(MoveJournal.class, "set_move.sql");

    /**
     * A move that has not ended.
     *
     * @param fenced whether its shard is fenced at its source
     * @param idle whether its journal has not been written just now: else its process may be about to take the lock
     */
    public record Unfinished(Move move, boolean fenced, boolean idle) {
        /** Returns whether it has stopped for a reason of its own, and is not recovered. */
        public boolean stopped() {
            return move.failure() != null
                    && !fenced
                    && move.step() != MoveStep.CLEAN_UP
                    && move.step() != MoveStep.ABORTING;
        }
    }

    /** The unfinished moves of all shards. */
    public static List<Unfinished> unfinished(Connection connection) throws SQLException {
        return Sql.query(
                connection,
                UNFINISHED,
                row -> new Unfinished(of(row), row.getBoolean("fenced"), row.getBoolean("idle")));
    }

    /** All moves, newest first. */
    public static List<Move> all(Connection connection) throws SQLException {
        return Sql.query(connection, "SELECT * FROM sharded_id.move ORDER BY started DESC", MoveJournal::of);
    }

    /** The moves whose processes have died, those first whose shards are fenced. */
    public static List<Unfinished> abandoned(Connection connection) throws SQLException {
        List<Unfinished> abandoned = new ArrayList<>();
        for (Unfinished each : unfinished(connection)) {
            SessionLock.Purpose lock = SessionLock.ofShard(each.move().shard());
            if (each.idle() && !each.stopped() && SessionLock.holder(connection, lock) == null) {
                abandoned.add(each);
            }
        }
        return abandoned;
    }

    public Move read() throws SQLException {
        return Sql.query(connection, "SELECT * FROM sharded_id.move WHERE id = ?", MoveJournal::of, id)
                .get(0);
    }

    /** Written before the step is taken. */
    public void step(MoveStep step) throws SQLException {
        set("step = ?, changed = clock_timestamp(), failure = NULL", step.name());
    }

    /** The last step, with the reason of an abort and what was left undone; empty if there is neither. */
    public void end(MoveStep step, String failure) throws SQLException {
        set("step = ?, changed = clock_timestamp(), failure = nullif(?, '')", step.name(), failure);
    }

    public void failed(String failure) throws SQLException {
        set("failure = ?, changed = clock_timestamp()", failure);
    }

    /** Durable, whatever the server's default is: a source that forgets the switch in a crash would take the shard back. */
    private void set(String assignment, Object... values) throws SQLException {
        Sql.update(connection, SET.formatted(assignment, id), values);
    }

    @Nullable
    public String subscriber() throws SQLException {
        return Sql.text(connection, "SELECT subscriber FROM sharded_id.move WHERE id = ?", id);
    }

    /** Writes one of the other columns, some of which have several texts. */
    public void record(String column, Object value) throws SQLException {
        set(column + " = ?", value);
    }

    /** Reads a column with several texts; empty if it is null. */
    public List<String> remembered(String column) throws SQLException {
        return Sql.strings(connection, "SELECT unnest(" + column + ") FROM sharded_id.move WHERE id = ?", id);
    }

    private static Move of(ResultSet row) throws SQLException {
        Long pause = row.getObject("pause_ms", Long.class);
        return new Move(
                row.getObject("id", UUID.class),
                row.getInt("shard"),
                row.getString("source"),
                row.getString("target"),
                row.getLong("generation"),
                row.getBoolean("offline"),
                MoveStep.valueOf(row.getString("step")),
                instant(row, "started"),
                instant(row, "changed"),
                pause == null ? null : Duration.ofMillis(pause),
                row.getString("failure"));
    }

    /** Reads a time. */
    public static Instant instant(ResultSet row, String column) throws SQLException {
        return Objects.requireNonNull(row.getObject(column, OffsetDateTime.class))
                .toInstant();
    }
}
