package io.github.shardedid.move.internal.step;

import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.internal.replication.MoveContext;
import io.github.shardedid.move.internal.replication.MoveNames;
import io.github.shardedid.move.internal.replication.ShardTables;
import io.github.shardedid.operations.internal.IdConstraints;
import io.github.shardedid.operations.internal.ShardSchemas;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.StoredShard;
import io.github.shardedid.operations.internal.StructureComparison;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/**
 * The schema of the shard at the target: created empty, by the application's migrations, and writable by replication only. Foreign keys
 * stay: replication does not check them.
 */
record TargetSchema(MoveContext moving, Connection target, String schema) {
    private static final String RECEIVE = Sql.load(TargetSchema.class, "receive_shard.sql");
    private static final String AS_OWNER = Sql.load(TargetSchema.class, "set_role_of_owner.sql");

    TargetSchema(MoveContext moving) {
        this(moving, moving.target(), moving.schema());
    }

    /** Starts from whatever an earlier attempt has left. */
    void prepare() throws SQLException {
        Sql.transaction(target, () -> {
            receive();
            Sql.execute(target, "DROP SCHEMA IF EXISTS " + schema + " CASCADE");
        });
        asOwner(target, () -> {
            Sql.transaction(target, () -> ShardSchemas.create(target, moving.shard()));
            moving.migrations().migrate(target, moving.move().target(), moving.shard());
            IdConstraints.carryOver(moving.source(), target, moving.shard());
            ShardSchemas.grantRoles(target, schema);
        });
        List<String> copied = ShardTables.copied(target, schema);
        Sql.execute(target, "TRUNCATE " + ShardTables.list(schema, copied) + " CASCADE");
        requireSame();
        for (Connection side : List.of(moving.source(), target)) {
            Sql.execute(side, "CREATE TABLE IF NOT EXISTS " + marker() + " (id uuid PRIMARY KEY)");
        }
        if (!moving.move().offline()) {
            Sql.execute(target, ShardTables.refuseWrites(target, schema, false));
        }
    }

    String marker() {
        return ShardTables.qualified(schema, MoveNames.MARKER);
    }

    /** Refuses the move unless both schemas have the same structure. */
    private void requireSame() throws SQLException {
        String differences = differences();
        if (!differences.isEmpty()) {
            throw new MoveRefusedException(moving.move() + " is refused: the schema that the migrations make at the"
                    + " target is not as at the source. " + differences
                    + ". Put these differences into a migration, or remove them. If the source has run scripts that are not"
                    + " known here, move it with an instance that has them.");
        }
    }

    /** The differences as text; empty if there are none. */
    String differences() throws SQLException {
        List<String> identities = moving.journal().remembered("identities");
        return String.join(
                "; ", StructureComparison.differences(moving.source(), schema, target, schema, Set.copyOf(identities)));
    }

    /** An existing row keeps its generation, by which an abort recognizes it. */
    private void receive() throws SQLException {
        if (Sql.update(target, RECEIVE, moving.shard(), moving.move().generation() + 1) == 0) {
            throw new MoveRefusedException(moving.move() + " is refused: the target has the shard already."
                    + " Look at sharded_id.shard in both databases.");
        }
    }

    /** Restores the state of the target before the move. */
    void remove() throws SQLException {
        Sql.transaction(target, () -> {
            StoredShard row = StoredShard.read(target, moving.shard());
            if (row == null || !row.state().equals(StoredShard.RECEIVING)) {
                return;
            }
            Sql.execute(target, "DROP SCHEMA IF EXISTS " + schema + " CASCADE");
            if (row.generation() > moving.move().generation()) {
                Sql.update(target, "DELETE FROM sharded_id.shard WHERE shard = ?", moving.shard());
            } else {
                StoredShard.setState(target, moving.shard(), StoredShard.MOVED, StoredShard.RECEIVING);
            }
        });
    }

    /** Works as that role, and then as before. */
    static void asOwner(Connection connection, Sql.Work work) throws SQLException {
        String role = Sql.text(connection, "SELECT current_setting('role')");
        Sql.rows(connection, AS_OWNER);
        try {
            work.run();
        } finally {
            if (!connection.isClosed()) {
                Sql.rows(connection, "SELECT set_config('role', ?, false)", role);
            }
        }
    }
}
