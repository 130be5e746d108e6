package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.internal.routing.Sharding;
import io.github.shardedid.routing.RoutedScope;
import io.github.shardedid.routing.ShardContext;
import java.sql.PreparedStatement;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.hibernate.engine.jdbc.internal.JdbcServicesImpl;
import org.hibernate.engine.spi.SessionFactoryImplementor;
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
 * Hibernate's own services in a rehearsal: a statement whose parameters determine its shards is executed as always, within a scope that
 * says so.
 */
public final class RehearsedJdbcServices extends JdbcServicesImpl {
    private final QueryTargets targets;

    public RehearsedJdbcServices(Sharding sharding) {
        this.targets = new QueryTargets(new NativeTargets(sharding));
    }

    /** The targets of a session factory's queries; null if it is not rehearsed. */
    public static @Nullable QueryTargets targets(SessionFactoryImplementor factory) {
        return factory.getJdbcServices() instanceof RehearsedJdbcServices rehearsed ? rehearsed.targets : null;
    }

    @Override
    public JdbcSelectExecutor getJdbcSelectExecutor() {
        return new Selects(targets);
    }

    @Override
    public JdbcMutationExecutor getJdbcMutationExecutor() {
        return new Mutations(targets);
    }

    private record Selects(QueryTargets targets) implements JdbcSelectExecutor {
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
            try (ShardContext.Scope scope = targets.rehearse(select, context.getQueryParameterBindings())) {
                return STANDARD.executeQuery(
                        select, bindings, context, transformer, type, estimate, statements, results);
            }
        }
    }

    private record Mutations(QueryTargets targets) implements JdbcMutationExecutor {
        private static final JdbcMutationExecutor STANDARD = StandardJdbcMutationExecutor.INSTANCE;

        @Override
        public int execute(
                JdbcOperationQueryMutation mutation,
                JdbcParameterBindings sent,
                Function<String, PreparedStatement> statements,
                BiConsumer<Integer, PreparedStatement> expectation,
                ExecutionContext context) {
            boolean known = targets.changedBy(mutation, sent, context.getQueryParameterBindings()) != null;
            try (ShardContext.Scope scope = known ? RoutedScope.open(0) : null) {
                return STANDARD.execute(mutation, sent, statements, expectation, context);
            }
        }
    }
}
