package io.github.shardedid.provisioning.internal;

import io.github.shardedid.operations.internal.FunctionSql;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.StoredCluster;
import io.github.shardedid.operations.internal.StoredGlobal;
import io.github.shardedid.operations.internal.StoredShard;
import io.github.shardedid.operations.internal.Transaction;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The state of a database before anything is changed.
 *
 * @param name the configured name
 * @param identity equal for two names that lead to the same database
 * @param versionNumber of the server, as {@code server_version_num}: 150000 and up for PostgreSQL 15
 * @param user who looked
 * @param mayRead whether the user may read the tables in schema {@code sharded_id}, if they are there
 * @param owner who owns the schemas of the cluster, as SQL writes it; null if that is the user, or a role of which it has the rights
 * @param grants the statements that give the user all that provisioning needs; empty if it lacks nothing
 * @param cluster null if the database was never provisioned
 * @param functions those of schema {@code sharded_id}
 * @param shards what it owns or is being given
 * @param global null if it does not have the global entities
 * @param unfinished fingerprints of the scripts of runs in the shards that have not ended; empty if the user may not read them
 */
record DatabaseState(
        String name,
        String identity,
        int versionNumber,
        String user,
        boolean mayRead,
        @Nullable String owner,
        List<String> grants,
        @Nullable StoredCluster cluster,
        Set<FunctionSql.Function> functions,
        List<StoredShard> shards,
        @Nullable StoredGlobal global,
        Set<String> unfinished) {
    private static final String SERVER = Sql.load(DatabaseState.class, "server.sql");
    private static final String READABLE = Sql.load(DatabaseState.class, "readable.sql");

    private static final String MISSING = Sql.load(DatabaseState.class, "missing_grants.sql");

    private static final String FUNCTIONS = Sql.load(DatabaseState.class, "functions.sql");

    private static final String UNFINISHED = "SELECT fingerprint FROM sharded_id.run WHERE kind = 'SHARDS'";

    /**
     * Reads the state of a database, all at one moment: an upgrade replaces the functions together with the version that is stored.
     */
    static DatabaseState read(String name, Connection connection) throws SQLException {
        return Transaction.read(
                connection, "REPEATABLE READ", () -> Sql.query(connection, SERVER, row -> state(name, connection, row))
                        .get(0));
    }

    private static DatabaseState state(String name, Connection connection, ResultSet row) throws SQLException {
        boolean meta = row.getBoolean("meta");
        boolean mayRead = !meta || Sql.is(connection, READABLE);
        List<@Nullable String> missing = Sql.rows(connection, MISSING).get(0);
        boolean known = meta && mayRead;
        return new DatabaseState(
                name,
                row.getString("identity"),
                row.getInt("version"),
                row.getString("me"),
                mayRead,
                missing.get(0),
                missing.subList(1, missing.size()).stream()
                        .flatMap(Stream::ofNullable)
                        .toList(),
                known ? StoredCluster.read(connection) : null,
                meta ? functions(connection) : Set.of(),
                known ? StoredShard.readAll(connection) : List.of(),
                known ? StoredGlobal.read(connection) : null,
                row.getBoolean("journal") ? Set.copyOf(Sql.strings(connection, UNFINISHED)) : Set.of());
    }

    private static Set<FunctionSql.Function> functions(Connection connection) throws SQLException {
        return Set.copyOf(
                Sql.query(connection, FUNCTIONS, row -> new FunctionSql.Function(row.getString(1), row.getString(2))));
    }

    int major() {
        return versionNumber / 10_000;
    }

    boolean provisioned() {
        return cluster != null && cluster.provisioned();
    }

    /** Returns whether a schema is to be made, the migrations have not all run, or a run of the same scripts has not ended. */
    boolean hasWork(WantedMigrations wanted) {
        return unfinished.contains(Objects.requireNonNullElse(wanted.fingerprint(), ""))
                || shards.stream()
                        .anyMatch(shard ->
                                shard.creating() || lacksMigrations(shard, wanted) || moveIsInTheWay(shard, wanted));
    }

    static boolean lacksMigrations(StoredShard shard, WantedMigrations wanted) {
        return shard.active() && !wanted.isAt(shard.migrations());
    }

    /** The source of a move whose structure must stay as it is, and yet is not what the application needs. */
    static boolean moveIsInTheWay(StoredShard shard, WantedMigrations wanted) {
        return shard.moving() && !shard.state().equals(StoredShard.RECEIVING) && !wanted.isAt(shard.migrations());
    }
}
