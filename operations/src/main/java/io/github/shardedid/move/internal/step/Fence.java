package io.github.shardedid.move.internal.step;

import io.github.shardedid.move.MoveStep;
import io.github.shardedid.move.internal.replication.MoveContext;
import io.github.shardedid.move.internal.replication.MoveNames;
import io.github.shardedid.move.internal.replication.Replication;
import io.github.shardedid.move.internal.replication.ShardTables;
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

/**
 * Blocks all access to the shard at its source, whatever map the clients have and whatever statements they have prepared.
 *
 * <ol>
 *   <li>The row of the shard becomes FENCING. Applications that listen for it defer their statements a moment later.
 *   <li>In one transaction, with a short lock timeout, all tables and sequences are locked.
 *   <li>A marker is written: it arrives at the target after all other writes.
 *   <li>What undoes the fence is recorded in the journal. Then sequences are ended, writes refused by triggers, privileges revoked, and
 *       the schema is renamed, which also stops server-prepared statements.
 *   <li>If a lock is not had in time, the row becomes MOVING again, and another attempt follows.
 * </ol>
 */
final class Fence {
    /** Describes the sessions with locks on the relations of the shard's schema. */
    private static final String LOCK_HOLDERS =
            "SELECT CASE WHEN l.pid IS NULL THEN 'a prepared transaction' ELSE 'process ' || l.pid"
                    + " || coalesce(' (' || nullif(a.application_name, '') || ')', '') || coalesce(', ' || a.state, '')"
                    + " || coalesce(', for ' || round(extract(epoch FROM clock_timestamp() - a.xact_start)) || ' s', '') END"
                    + " FROM pg_locks l LEFT JOIN pg_stat_activity a ON a.pid = l.pid WHERE l.granted"
                    + " AND l.locktype = 'relation' AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())"
                    + " AND l.pid IS DISTINCT FROM pg_backend_pid() AND l.relation IN (SELECT c.oid FROM pg_class c"
                    + " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ? AND c.relkind IN ('r', 'p', 'S')) GROUP BY 1 ORDER BY 1";

    private static final Logger LOG = LoggerFactory.getLogger(Fence.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    /** By then, applications that listen for changes of the map defer statements that the fence would fail. */
    private static final Duration CLIENT_NOTICE = Duration.ofMillis(40);

    private final MoveContext moving;
    private final MoveNames names;
    private final Connection source;

    /** The marker that the fence has written last, and when writers first waited. */
    record Taken(UUID marker, long since) {}

    Fence(MoveContext moving) {
        this.moving = moving;
        this.names = moving.names();
        this.source = moving.source();
    }

    /** Tries again and again, so that others wait for one short try at most. */
    Taken take() throws SQLException {
        Duration timeout = moving.options().fenceTimeout();
        Taken taken = moving.retry(new RetryPolicy(FIRST_PAUSE, LONGEST_PAUSE, timeout), this::tryOnce);
        if (taken == null) {
            List<String> who = Sql.strings(source, LOCK_HOLDERS, names.schema());
            throw moving.unfinished("it could not be fenced within " + timeout.toSeconds()
                    + " s, because its tables or sequences are in use by "
                    + (who.isEmpty() ? "one short transaction after the other" : String.join("; ", who)) + ".");
        }
        return taken;
    }

    private @Nullable Taken tryOnce() throws SQLException {
        if (!StoredShard.setState(
                source, moving.shard(), StoredShard.FENCING, StoredShard.MOVING, StoredShard.FENCING)) {
            throw moving.unfinished("its row in sharded_id.shard of the source says neither MOVING nor FENCING.");
        }
        long since = System.nanoTime();
        moving.sleep(CLIENT_NOTICE);
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
        hastenAutovacuum(source, moving.options().lockTimeout());
        List<String> tables = ShardTables.all(source, names.schema());
        Sql.execute(
                source,
                "LOCK TABLE " + String.join(", ", ShardTables.qualified(names.schema(), tables))
                        + " IN ACCESS EXCLUSIVE MODE");
        Sql.execute(source, Sequences.lock(source, names.schema()));
        if (!ShardTables.all(source, names.schema()).equals(tables)) {
            throw moving.unfinished("tables of the source were made or dropped meanwhile. Abort it and begin again.");
        }
        UUID marker = new Replication(moving).writeMarker();
        List<Sequences.Ended> sequences = Sequences.read(source, names.schema());
        Grants grants = Grants.of(source, names.schema());
        remember(sequences, grants);
        Sql.execute(
                source,
                Stream.of(
                                sequences.stream().flatMap(sequence -> sequence.end().stream()),
                                ShardTables.refuseAllWrites(names.schema(), tables).stream(),
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
    void remove(String state, MoveStep next) throws SQLException {
        Sql.transaction(source, () -> {
            StoredShard row = StoredShard.read(source, moving.shard());
            if (row != null && row.state().equals(StoredShard.FENCED)) {
                Sql.execute(source, ShardTables.allowWrites(source, names.fenced()));
                Sql.execute(source, moving.journal().remembered("unfence"));
            }
            StoredShard.setState(
                    source, moving.shard(), state, StoredShard.MOVING, StoredShard.FENCING, StoredShard.FENCED);
            moving.journal().step(next);
        });
    }

    /**
     * An autovacuum ends when another session waits for the lock of its table, but not before that session has
     * checked for a deadlock, which is after a second by default. In this transaction it checks earlier, if the role
     * is a superuser: others may not set that.
     *
     * @param lockTimeout how long a lock may be waited for
     */
    static void hastenAutovacuum(Connection connection, Duration lockTimeout) throws SQLException {
        if (Sql.is(connection, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user")) {
            Sql.execute(connection, "SET LOCAL deadlock_timeout = " + Math.max(1, lockTimeout.toMillis() / 2));
        }
    }

    /** The privileges of other roles on a schema: statements that revoke them, and that grant them again. */
    private record Grants(List<String> revoke, List<String> grant) {
        private static final String OTHERS =
                "SELECT CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(g.rolname) END,"
                        + " a.privilege_type, a.is_grantable FROM pg_namespace n CROSS JOIN LATERAL aclexplode(n.nspacl) a"
                        + " LEFT JOIN pg_roles g ON g.oid = a.grantee WHERE n.nspname = ? AND a.grantee <> n.nspowner ORDER BY 1, 2";

        static Grants of(Connection connection, String schema) throws SQLException {
            List<String> revoke = new ArrayList<>();
            List<String> grant = new ArrayList<>();
            for (List<@Nullable String> row : Sql.rows(connection, OTHERS, schema)) {
                String what = row.get(1) + " ON SCHEMA " + schema;
                revoke.add("REVOKE " + what + " FROM " + row.get(0) + " CASCADE");
                grant.add("GRANT " + what + " TO " + row.get(0) + ("t".equals(row.get(2)) ? " WITH GRANT OPTION" : ""));
            }
            return new Grants(revoke, grant);
        }
    }
}
