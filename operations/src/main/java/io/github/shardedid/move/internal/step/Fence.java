package io.github.shardedid.move.internal.step;

import io.github.shardedid.move.internal.journal.Moving;
import io.github.shardedid.move.internal.journal.Names;
import io.github.shardedid.move.internal.journal.Tables;
import io.github.shardedid.move.internal.replication.Marker;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.States;
import io.github.shardedid.move.MoveStep;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Shuts everybody out of the shard at its source, whatever map they have and whatever statements they have prepared. */
public final class Fence {
    private static final Logger LOG = LoggerFactory.getLogger(Fence.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    /** Who listens for changes of the map has heard of the fence by then, and holds statements back that would fail at it. */
    private static final Duration HEED = Duration.ofMillis(40);

    /** Even where somebody holds a lock for long, now and then: others may follow upon each other without end. */
    private static final Duration ANYWAY = Duration.ofSeconds(5);

    private final Moving moving;
    private final Names names;
    private final Connection source;
    private final LockHolders holders;

    /** What the fence's commit has left: the marker that it wrote last, and when writers first waited. */
    record Taken(UUID marker, long since) {}

    Fence(Moving moving) {
        this.moving = moving;
        this.names = moving.names();
        this.source = moving.source();
        this.holders = new LockHolders(source, names.schema());
    }

    /** Tries again and again, so that others wait for one short try at most. */
    Taken take() throws SQLException {
        long begin = System.nanoTime();
        long end = begin + moving.options().fenceTimeout().toNanos();
        long lastTry = begin - ANYWAY.toNanos();
        for (Duration pause = FIRST_PAUSE; ; pause = longer(pause)) {
            boolean hopeless = !holders.lasting().isEmpty() && System.nanoTime() - lastTry < ANYWAY.toNanos();
            if (!hopeless) {
                lastTry = System.nanoTime();
                Taken taken = tryOnce();
                if (taken != null) {
                    return taken;
                }
            }
            if (System.nanoTime() - end >= 0) {
                List<String> who = holders.all();
                throw moving.unfinished(
                        "it could not be fenced within "
                                + moving.options().fenceTimeout().toSeconds()
                                + " s, because its tables or sequences are in use by "
                                + (who.isEmpty() ? "one short transaction after the other" : String.join("; ", who))
                                + ".",
                        null);
            }
            moving.sleep(pause);
        }
    }

    private static Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : twice;
    }

    private @Nullable Taken tryOnce() throws SQLException {
        if (!States.set(source, moving.shard(), States.FENCING, States.MOVING, States.FENCING)) {
            throw moving.unfinished("its row in sharded_id.shard of the source says neither MOVING nor FENCING.", null);
        }
        long since = System.nanoTime();
        UUID[] marker = new UUID[1];
        moving.sleep(HEED);
        try {
            Sql.transaction(source, () -> marker[0] = fence());
            LOG.info("{}: fenced", moving.title());
            return new Taken(marker[0], since);
        } catch (SQLException e) {
            if (!isLocked(e)) {
                throw e;
            }
            States.set(source, moving.shard(), States.MOVING, States.FENCING);
            return null;
        }
    }

    private UUID fence() throws SQLException {
        // A crash after the switch must not bring the shard back here.
        Sql.execute(source, "SET LOCAL synchronous_commit = on");
        Sql.execute(
                source,
                "SET LOCAL lock_timeout = " + moving.options().lockTimeout().toMillis());
        Autovacuum.hasten(source, moving.options().lockTimeout());
        List<String> tables = Tables.all(source, names.schema());
        Sql.execute(
                source,
                "LOCK TABLE " + String.join(", ", Tables.qualified(names.schema(), tables))
                        + " IN ACCESS EXCLUSIVE MODE");
        Sql.execute(source, Sequences.lock(source, names.schema()));
        if (!Tables.all(source, names.schema()).equals(tables)) {
            throw moving.unfinished(
                    "tables of the source were made or dropped meanwhile. Abort it and begin again.", null);
        }
        UUID marker = new Marker(moving).write();
        List<Sequences.Ended> sequences = Sequences.read(source, names.schema());
        Grants grants = Grants.of(source, names.schema());
        remember(sequences, grants);
        Sql.execute(
                source,
                Stream.of(
                                sequences.stream().flatMap(sequence -> sequence.end().stream()),
                                Tables.refuseWrites(names.schema(), tables, true).stream(),
                                grants.revoke().stream(),
                                Stream.of("ALTER SCHEMA " + names.schema() + " RENAME TO " + names.fenced()))
                        .flatMap(part -> part)
                        .toList());
        States.set(source, moving.shard(), States.FENCED, States.FENCING);
        moving.journal().step(MoveStep.CARRY_OVER);
        return marker;
    }

    private void remember(List<Sequences.Ended> sequences, Grants grants) throws SQLException {
        List<String> unfence = new ArrayList<>();
        unfence.add("ALTER SCHEMA " + names.fenced() + " RENAME TO " + names.schema());
        sequences.forEach(sequence -> unfence.addAll(sequence.goOn()));
        unfence.addAll(grants.grant());
        moving.journal().remember("unfence", unfence);
        moving.journal()
                .remember(
                        "sequences",
                        sequences.stream()
                                .flatMap(sequence -> Stream.of(
                                        sequence.name(),
                                        Long.toString(sequence.last()),
                                        Boolean.toString(sequence.called())))
                                .toList());
    }

    /** The source serves the shard again, as before; the journal says {@code next}. */
    void takeDown(String state, MoveStep next) throws SQLException {
        Sql.transaction(source, () -> {
            States row = States.read(source, moving.shard());
            if (row != null && row.state().equals(States.FENCED)) {
                Sql.execute(source, Tables.allowWrites(source, names.fenced()));
                Sql.execute(source, moving.journal().remembered("unfence"));
            }
            States.set(source, moving.shard(), state, States.MOVING, States.FENCING, States.FENCED);
            moving.journal().step(next);
        });
    }

    /** Whether somebody else's lock was in the way. */
    public static boolean isLocked(SQLException e) {
        return "55P03".equals(e.getSQLState()) || "40P01".equals(e.getSQLState());
    }
}
