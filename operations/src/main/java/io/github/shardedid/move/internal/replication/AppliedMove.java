package io.github.shardedid.move.internal.replication;

import io.github.shardedid.move.internal.journal.Moving;
import io.github.shardedid.move.internal.journal.Names;
import io.github.shardedid.move.internal.journal.Tables;
import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A move whose role may not create subscriptions: before PostgreSQL 16, only superusers may. The mover itself copies the rows and applies
 * the changes that a slot of the source reports. How far it is stands in a table at the target, which is written in the transactions
 * that apply, and whose existence says that a move is of this kind.
 */
public final class AppliedMove {
    private static final Logger LOG = LoggerFactory.getLogger(AppliedMove.class);
    private static final int SUBSCRIBE_ROLE_SINCE = 16;
    private static final String APPLIED = "applied";
    private static final String TABLE = "table";
    private static final String RESTORE = "restore";
    private static final String VALIDATE = "validate";

    private final Connection target;
    private final Moving moving;
    private final String schema;
    private final String progress;

    public AppliedMove(Moving moving) {
        this(moving, moving.target());
    }

    /** The same over another connection to the target. */
    AppliedMove(Moving moving, Connection target) {
        this.moving = moving;
        this.target = target;
        this.schema = moving.names().schema();
        this.progress = Tables.qualified(schema, Names.PROGRESS);
    }

    /** Whether a move to this database has to be of this kind, as far as can be tried. Later releases have a role for it. */
    static boolean isNeeded(Connection target) throws SQLException {
        return target.getMetaData().getDatabaseMajorVersion() < SUBSCRIBE_ROLE_SINCE
                && !new ReplicationTrial("", target).maySubscribe();
    }

    /** Whether this move is of this kind. */
    public boolean isActive() throws SQLException {
        return Sql.is(target, "SELECT to_regclass(?) IS NOT NULL", progress);
    }

    /** Prepares the empty tables of the target, if the move has to be of this kind. */
    public void prepare() throws SQLException {
        if (!isNeeded(target)) {
            return;
        }
        LOG.info(
                "{}: the target's role may not create subscriptions; this process applies the changes", moving.title());
        Sql.transaction(target, () -> {
            Sql.execute(target, "SET LOCAL search_path = pg_catalog");
            Sql.execute(
                    target,
                    "CREATE TABLE " + progress + " (kind text, name text, value text, PRIMARY KEY (kind, name))");
            Suspension suspension = Suspension.of(target, schema);
            put(RESTORE, suspension.restore());
            put(VALIDATE, suspension.validate());
            put(APPLIED, "", "0");
            Sql.execute(target, suspension.suspend());
        });
    }

    private void put(String kind, List<String> values) throws SQLException {
        for (int i = 0; i < values.size(); i++) {
            put(kind, "%06d".formatted(i), values.get(i));
        }
    }

    private void put(String kind, String name, String value) throws SQLException {
        Sql.update(target, "INSERT INTO " + progress + " VALUES (?, ?, ?)", kind, name, value);
    }

    private List<String> values(String kind) throws SQLException {
        return Sql.strings(target, "SELECT value FROM " + progress + " WHERE kind = ? ORDER BY name", kind);
    }

    /** By table, what its copy has seen. */
    Map<String, Snapshot> copied() throws SQLException {
        return Sql.map(
                target,
                "SELECT name, value FROM " + progress + " WHERE kind = ?",
                row -> Map.entry(row.getString(1), Snapshot.parse(row.getString(2))),
                TABLE);
    }

    /** In the transaction that has copied a table. */
    void copied(String table, String snapshot) throws SQLException {
        put(TABLE, table, snapshot);
    }

    /** The position in the source's log up to which changes are applied; others that apply wait until the end of the transaction. */
    long lockApplied() throws SQLException {
        String applied =
                Sql.text(target, "SELECT value FROM " + progress + " WHERE kind = ? AND name = '' FOR UPDATE", APPLIED);
        if (applied == null) {
            throw moving.unfinished("the target has taken the shard over while changes were being applied.");
        }
        return Long.parseLong(applied);
    }

    /** In the transaction that applies. */
    void applied(long position) throws SQLException {
        Sql.update(target, "UPDATE " + progress + " SET value = ? WHERE kind = ?", Long.toString(position), APPLIED);
    }

    /** In the transaction of the switch: nothing is applied from then on. */
    public void restore() throws SQLException {
        lockApplied();
        Sql.update(target, "DELETE FROM " + progress + " WHERE kind = ?", APPLIED);
        Sql.execute(target, values(RESTORE));
    }

    /** After the switch. */
    public void complete() throws SQLException {
        if (isActive()) {
            for (String statement : values(VALIDATE)) {
                Sql.execute(target, statement);
            }
            Sql.execute(target, "DROP TABLE " + progress);
        }
    }

    /** Reads something while everything is as before the move, in a transaction that is rolled back. Nobody may apply changes. */
    public <T> T asRestored(Sql.Query<T> reading) throws SQLException {
        target.setAutoCommit(false);
        try {
            Sql.execute(target, values(RESTORE));
            Sql.execute(target, values(VALIDATE));
            return reading.run();
        } finally {
            target.rollback();
            target.setAutoCommit(true);
        }
    }

    /** The changes of now arrive. */
    public Arrivals arrivals() throws SQLException {
        return new ChangeApplier(moving);
    }
}
