package io.github.shardedid.boot.rehearsal;

import io.github.shardedid.hibernate.Rehearsal;
import io.github.shardedid.routing.rehearsal.RehearsedStatements.Tables;
import io.github.shardedid.spring.data.RouteKind;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the targets of statements. Queries over several shards are read as the product reads them. */
record StatementJudge(Rehearsal rehearsal) {
    private static final Logger LOG = LoggerFactory.getLogger(StatementJudge.class);
    private static final String WAYS =
            "Compare the id or the shard key, run it in ShardContext.run(shard, …), or ask all shards"
                    + " with @AllShards or ShardContext.run(ShardSet.all(), …).";

    /**
     * A target, or the reason of the refusal.
     *
     * @param unchecked whether more may be refused, as the catalogs or the statement could not be read
     */
    record Judgement(@Nullable StatementTarget target, @Nullable String refusal, boolean unchecked) {
        static final Judgement UNKNOWN = new Judgement(null, null, true);

        static Judgement of(StatementTarget target) {
            return new Judgement(target, null, false);
        }

        static Judgement refused(String why) {
            return new Judgement(null, why, false);
        }
    }

    /** Returns whether the statement names a table of an entity. */
    boolean knows(String sql) {
        Tables tables = rehearsal.tablesOf(sql);
        return !tables.sharded().isEmpty() || !tables.global().isEmpty();
    }

    /**
     * Returns the target.
     *
     * @param statement a statement
     * @param sql one of its texts, with literals
     * @param connection over which it is executed; null to read no catalogs
     */
    Judgement of(ObservedStatements.Use statement, String sql, @Nullable Connection connection) {
        StatementOrigin origin = statement.origin();
        RouteKind scope = statement.scope();
        Tables named = rehearsal.tablesOf(sql);
        Tables tables = origin == StatementOrigin.ROW ? named.withoutEagerJoins() : named;
        boolean sharded = !tables.sharded().isEmpty();
        boolean global = !tables.global().isEmpty();
        if (sharded && global) {
            return Judgement.refused("It crosses from the sharded tables " + tables.sharded() + " to the global tables "
                    + tables.global()
                    + ", which are in different databases. Read the global rows by a query of their own.");
        }
        if (origin == StatementOrigin.ROW) {
            return Judgement.of(global ? StatementTarget.GLOBAL : StatementTarget.SHARD_OF_ROW);
        }
        if (scope == RouteKind.GLOBAL || (global && origin == StatementOrigin.QUERY)) {
            return sharded
                    ? Judgement.refused("It reads the sharded tables " + tables.sharded()
                            + " in the scope of the global database. " + WAYS)
                    : Judgement.of(StatementTarget.GLOBAL);
        }
        if (scope == null) {
            return statement.ofRefusedCall() ? Judgement.of(StatementTarget.NOT_SENT) : withoutShard(sharded);
        }
        return global
                ? Judgement.refused(
                        "It reads the global tables " + tables.global()
                                + " in the scope of a shard. Use the data source of the global database, or ShardContext.run(Target.global(), …).")
                : inScope(sql, scope, connection);
    }

    private static Judgement withoutShard(boolean sharded) {
        return Judgement.refused("It determines no shard. "
                + (sharded
                        ? WAYS
                        : "Use the data source of the global database (globalDataSource, globalJdbcClient), or run it in"
                                + " ShardContext.run(shard, …)."));
    }

    private Judgement inScope(String sql, RouteKind scope, @Nullable Connection connection) {
        StatementTarget target =
                switch (scope) {
                    case ALL_SHARDS -> StatementTarget.ALL_SHARDS;
                    case SHARDS_OF_LIST, SHARDS_OF_CONDITION -> StatementTarget.SEVERAL_SHARDS;
                    default -> StatementTarget.ONE_SHARD;
                };
        if (target == StatementTarget.ONE_SHARD) {
            return Judgement.of(target);
        }
        Optional<String> obstacle;
        boolean unchecked = connection == null;
        try {
            obstacle = connection == null ? withoutCatalogs(sql) : obstacle(sql, connection);
        } catch (SQLException e) {
            LOG.debug("The catalogs of the database cannot be read", e);
            obstacle = withoutCatalogs(sql);
            unchecked = true;
        }
        return obstacle.isPresent() ? Judgement.refused(obstacle.get()) : new Judgement(target, null, unchecked);
    }

    private Optional<String> withoutCatalogs(String sql) {
        try {
            return rehearsal.obstacleToAllShards(sql, null);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The application's transaction goes on, whatever becomes of the queries of the catalogs. */
    private Optional<String> obstacle(String sql, Connection connection) throws SQLException {
        if (connection.getAutoCommit()) {
            return rehearsal.obstacleToAllShards(sql, connection);
        }
        Savepoint before = connection.setSavepoint();
        try {
            Optional<String> obstacle = rehearsal.obstacleToAllShards(sql, connection);
            connection.releaseSavepoint(before);
            return obstacle;
        } catch (SQLException e) {
            connection.rollback(before);
            throw e;
        }
    }
}
