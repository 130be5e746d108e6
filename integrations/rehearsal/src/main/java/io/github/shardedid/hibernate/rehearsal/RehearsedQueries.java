package io.github.shardedid.hibernate.rehearsal;

import io.github.shardedid.hibernate.internal.queries.QueryTargets;
import io.github.shardedid.hibernate.internal.queries.RoutedJdbcServices;
import io.github.shardedid.hibernate.internal.queries.RoutedSelect;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import io.github.shardedid.routing.RoutedScope;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.Target;
import java.sql.PreparedStatement;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.hibernate.query.spi.QueryParameterBindings;
import org.hibernate.sql.exec.internal.JdbcSelectExecutorStandardImpl;
import org.hibernate.sql.exec.internal.StandardJdbcMutationExecutor;
import org.hibernate.sql.exec.spi.ExecutionContext;
import org.hibernate.sql.exec.spi.JdbcMutationExecutor;
import org.hibernate.sql.exec.spi.JdbcOperationQueryMutation;
import org.hibernate.sql.exec.spi.JdbcParameterBindings;
import org.hibernate.sql.exec.spi.JdbcSelect;
import org.hibernate.sql.exec.spi.JdbcSelectExecutor;
import org.hibernate.sql.results.spi.ResultsConsumer;
import org.hibernate.sql.results.spi.RowTransformer;
import org.jspecify.annotations.Nullable;

/**
 * Hibernate's executors, which execute a statement as always, but within a scope that says what its parameters determine: one shard or
 * several. The number of the shard means nothing, as the rows have ids without shards. Safe for use by several threads.
 */
record RehearsedQueries(QueryTargets targets) implements JdbcSelectExecutor, JdbcMutationExecutor {
    private static final JdbcSelectExecutor SELECTS = JdbcSelectExecutorStandardImpl.INSTANCE;

    /** Returns the services of a session factory that is rehearsed. */
    static RoutedJdbcServices services(Sharding sharding) {
        RehearsedQueries queries = new RehearsedQueries(new QueryTargets(sharding));
        return new RoutedJdbcServices(queries.targets, queries, queries);
    }

    @Override
    public <T, R> T executeQuery(
            JdbcSelect select,
            JdbcParameterBindings bindings,
            ExecutionContext context,
            RowTransformer<R> transformer,
            Class<R> type,
            StatementCreator statements,
            ResultsConsumer<T, R> results) {
        try (ShardContext.Scope scope = open(select, context.getQueryParameterBindings())) {
            return SELECTS.executeQuery(select, bindings, context, transformer, type, statements, results);
        }
    }

    @Override
    public int execute(
            JdbcOperationQueryMutation mutation,
            JdbcParameterBindings sent,
            Function<String, PreparedStatement> statements,
            BiConsumer<Integer, PreparedStatement> expectation,
            ExecutionContext context) {
        boolean determined = targets.changedBy(sent, context.getQueryParameterBindings()) != null;
        try (ShardContext.Scope scope = determined ? RoutedScope.open(0) : null) {
            return StandardJdbcMutationExecutor.INSTANCE.execute(mutation, sent, statements, expectation, context);
        }
    }

    /** Opens the scope of a query; none if its parameters determine no shard, or a scope of several shards is open. */
    private static ShardContext.@Nullable Scope open(JdbcSelect query, QueryParameterBindings given) {
        return ShardContext.target() instanceof ShardSet
                ? null
                : RoutedSelect.requiresSeveralValues(query, given)
                        .map(several -> RoutedScope.open(several ? ShardSet.all() : Target.shard(0)))
                        .orElse(null);
    }
}
