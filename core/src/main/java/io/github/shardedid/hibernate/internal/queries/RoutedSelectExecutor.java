package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.internal.mapping.RowsOfReferences;
import io.github.shardedid.hibernate.internal.routing.TenantShards;
import io.github.shardedid.routing.ShardContext;
import java.util.function.Supplier;
import org.hibernate.sql.exec.internal.JdbcSelectExecutorStandardImpl;
import org.hibernate.sql.exec.spi.ExecutionContext;
import org.hibernate.sql.exec.spi.JdbcParameterBindings;
import org.hibernate.sql.exec.spi.JdbcSelect;
import org.hibernate.sql.exec.spi.JdbcSelectExecutor;
import org.hibernate.sql.results.spi.ResultsConsumer;
import org.hibernate.sql.results.spi.RowTransformer;

/** Executes a query in the shards that its parameters determine, else where it would be executed anyway. */
record RoutedSelectExecutor(QueryTargets targets, OwnIdResults own) implements JdbcSelectExecutor {
    private static final JdbcSelectExecutor STANDARD = JdbcSelectExecutorStandardImpl.INSTANCE;

    @Override
    public <T, R> T executeQuery(
            JdbcSelect select,
            JdbcParameterBindings bindings,
            ExecutionContext context,
            RowTransformer<R> transformer,
            Class<R> type,
            StatementCreator statements,
            ResultsConsumer<T, R> results) {
        return executeQuery(select, bindings, context, transformer, type, -1, statements, results);
    }

    /** The statement of a stream, too, is executed at once. */
    @Override
    public <T, R> T executeQuery(
            JdbcSelect select,
            JdbcParameterBindings bindings,
            ExecutionContext context,
            RowTransformer<R> transformer,
            Class<R> type,
            int estimate,
            StatementCreator statements,
            ResultsConsumer<T, R> results) {
        Supplier<T> query = () -> {
            try (ShardContext.Scope scope = targets.open(select, bindings, context)) {
                TenantShards.check(context.getSession(), select.getAffectedTableNames());
                return STANDARD.executeQuery(
                        select, bindings, context, transformer, type, estimate, statements, own.checked(results));
            }
        };
        return own.hasForeign() ? RowsOfReferences.read(query) : query.get();
    }
}
