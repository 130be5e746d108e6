package io.github.shardedid.move.internal.step;

import io.github.shardedid.move.MoveStep;
import io.github.shardedid.move.internal.journal.Moving;
import io.github.shardedid.move.internal.journal.Names;
import io.github.shardedid.move.internal.journal.Tables;
import io.github.shardedid.move.internal.replication.Marker;
import io.github.shardedid.operations.internal.RetryPolicy;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.StoredShard;
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

/** Blocks all access to the shard at its source, whatever map the clients have and whatever statements they have prepared. */
final class Fence {
    private static final Logger LOG = LoggerFactory.getLogger(Fence.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    /** By then, applications that listen for changes of the map defer statements that the fence would fail. */
    private static final Duration HEED = Duration.ofMillis(40);

    /** An attempt is made this often even if a session holds a lock for long: others may follow each other without end. */
    private static final Duration ANYWAY = Duration.ofSeconds(5);

    private final Moving moving;
    private final Names names;
    private final Connection source;
    private final LockHolders holders;
    private long lastTry;

    /** The marker that the fence has written last, and when writers first waited. */
    record Taken(UUID marker, long since) {}

    Fence(Moving moving) {
        this.moving = moving;
        this.names = moving.names();
        this.source = moving.source();
        this.holders = new LockHolders(source, names.schema());
    }

    /** Tries again and again, so that others wait for one short try at most. */
    Taken take() throws SQLException {
        Duration timeout = moving.options().fenceTimeout();
        lastTry = System.nanoTime() - ANYWAY.toNanos();
        Taken taken = moving.retry(new RetryPolicy(FIRST_PAUSE, LONGEST_PAUSE, timeout), this::tryUnlessHopeless);
        if (taken == null) {
            List<String> who = holders.all();
            throw moving.unfinished("it could not be fenced within " + timeout.toSeconds()
                    + " s, because its tables or sequences are in use by "
                    + (who.isEmpty() ? "one short transaction after the other" : String.join("; ", who)) + ".");
        }
        return taken;
    }

    private @Nullable Taken tryUnlessHopeless() throws SQLException {
        if (!holders.lasting().isEmpty() && System.nanoTime() - lastTry < ANYWAY.toNanos()) {
            return null;
        }
        lastTry = System.nanoTime();
        return tryOnce();
    }

    private @Nullable Taken tryOnce() throws SQLException {
        if (!StoredShard.setState(
                source, moving.shard(), StoredShard.FENCING, StoredShard.MOVING, StoredShard.FENCING)) {
            throw moving.unfinished("its row in sharded_id.shard of the source says neither MOVING nor FENCING.");
        }
        long since = System.nanoTime();
        moving.sleep(HEED);
        try {
            Taken taken = new Taken(Sql.transaction(source, () -> fence()), since);
            LOG.info("{}: fenced", moving.title());
            return taken;
        } catch (SQLException e) {
            if (!Sql.isLocked(e)) {
                throw e;
            }
            StoredShard.setState(source, moving.shard(), StoredShard.MOVING, StoredShard.FENCING);
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
            throw moving.unfinished("tables of the source were made or dropped meanwhile. Abort it and begin again.");
        }
        UUID marker = new Marker(moving).write();
        List<Sequences.Ended> sequences = Sequences.read(source, names.schema());
        Grants grants = Grants.of(source, names.schema());
        remember(sequences, grants);
        Sql.execute(
                source,
                Stream.of(
                                sequences.stream().flatMap(sequence -> sequence.end().stream()),
                                Tables.refuseAllWrites(names.schema(), tables).stream(),
                                grants.revoke().stream(),
                                Stream.of("ALTER SCHEMA " + names.schema() + " RENAME TO " + names.fenced()))
                        .flatMap(part -> part)
                        .toList());
        StoredShard.setState(source, moving.shard(), StoredShard.FENCED, StoredShard.FENCING);
        moving.journal().step(MoveStep.CARRY_OVER);
        return marker;
    }

    private void remember(List<Sequences.Ended> sequences, Grants grants) throws SQLException {
        List<String> unfence = new ArrayList<>();
        unfence.add("ALTER SCHEMA " + names.fenced() + " RENAME TO " + names.schema());
        sequences.forEach(sequence -> unfence.addAll(sequence.restart()));
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

    /** The source serves the shard again; the journal records {@code next}. */
    void takeDown(String state, MoveStep next) throws SQLException {
        Sql.transaction(source, () -> {
            StoredShard row = StoredShard.read(source, moving.shard());
            if (row != null && row.state().equals(StoredShard.FENCED)) {
                Sql.execute(source, Tables.allowWrites(source, names.fenced()));
                Sql.execute(source, moving.journal().remembered("unfence"));
            }
            StoredShard.setState(
                    source, moving.shard(), state, StoredShard.MOVING, StoredShard.FENCING, StoredShard.FENCED);
            moving.journal().step(next);
        });
    }
}
