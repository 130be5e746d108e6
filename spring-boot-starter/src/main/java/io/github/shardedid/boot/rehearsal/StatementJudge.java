package io.github.shardedid.boot.rehearsal;

import io.github.shardedid.hibernate.Rehearsal;
import io.github.shardedid.routing.rehearsal.RehearsedStatements.Tables;
import io.github.shardedid.spring.data.report.RouteKind;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Where statements would be executed. Queries over several shards are read as the product reads them. */
final class StatementJudge {
    private static final String WAYS =
            "Compare the id or the shard key, run it in ShardContext.run(shard, …), or ask all shards"
                    + " with @AllShards or ShardContext.run(ShardSet.all(), …).";

    private final Rehearsal rehearsal;
    private final Connection connection;

    StatementJudge(Rehearsal rehearsal, Connection connection) {
        this.rehearsal = rehearsal;
        this.connection = connection;
    }

    /** A target, or the reason of the refusal. */
    record Judgement(@Nullable StatementTarget target, @Nullable String refusal) {
        static Judgement of(StatementTarget target) {
            return new Judgement(target, null);
        }

        static Judgement refused(String why) {
            return new Judgement(null, why);
        }
    }

    /**
     * Returns the target.
     *
     * @param scope how the call or the scope around the statement determines its shards; null if there is none
     */
    Judgement of(String sql, StatementOrigin origin, @Nullable RouteKind scope) throws SQLException {
        Tables tables = rehearsal.tablesOf(sql);
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
            return Judgement.refused("It determines no shard. "
                    + (sharded
                            ? WAYS
                            : "Use the data source of the global database (globalDataSource, globalJdbcClient), or run it in"
                                    + " ShardContext.run(shard, …)."));
        }
        return global
                ? Judgement.refused(
                        "It reads the global tables " + tables.global()
                                + " in the scope of a shard. Use the data source of the global database, or ShardContext.run(Target.global(), …).")
                : inScope(sql, scope);
    }

    private Judgement inScope(String sql, RouteKind scope) throws SQLException {
        StatementTarget target =
                switch (scope) {
                    case ALL_SHARDS -> StatementTarget.ALL_SHARDS;
                    case SHARDS_OF_LIST, SHARDS_OF_CONDITION -> StatementTarget.SEVERAL_SHARDS;
                    default -> StatementTarget.ONE_SHARD;
                };
        if (target == StatementTarget.ONE_SHARD) {
            return Judgement.of(target);
        }
        Optional<String> obstacle = rehearsal.obstacleToAllShards(sql, connection);
        return obstacle.map(Judgement::refused).orElseGet(() -> Judgement.of(target));
    }
}
