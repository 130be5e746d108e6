package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.internal.routing.TenantShards;
import java.sql.PreparedStatement;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.IntSupplier;
import org.hibernate.query.spi.QueryParameterBindings;
import org.hibernate.sql.exec.internal.JdbcOperationQueryMutationNative;
import org.hibernate.sql.exec.internal.StandardJdbcMutationExecutor;
import org.hibernate.sql.exec.spi.ExecutionContext;
import org.hibernate.sql.exec.spi.JdbcMutationExecutor;
import org.hibernate.sql.exec.spi.JdbcOperationQueryMutation;
import org.hibernate.sql.exec.spi.JdbcParameterBindings;

/** Executes a statement that changes rows in the shard that its parameters determine, else where it would be executed anyway. */
record RoutedMutationExecutor(QueryTargets targets, NativeTargets byText) implements JdbcMutationExecutor {
    private static final JdbcMutationExecutor STANDARD = StandardJdbcMutationExecutor.INSTANCE;

    @Override
    public int execute(
            JdbcOperationQueryMutation mutation,
            JdbcParameterBindings sent,
            Function<String, PreparedStatement> statements,
            BiConsumer<Integer, PreparedStatement> expectation,
            ExecutionContext context) {
        QueryParameterBindings given = context.getQueryParameterBindings();
        ChangedRows rows = targets.changedBy(mutation, sent, given);
        IntSupplier change = () -> {
            TenantShards.check(context.getSession(), mutation.getAffectedTableNames());
            return STANDARD.execute(mutation, sent, statements, expectation, context);
        };
        if (rows != null) {
            ChangedRows.flush(context.getSession(), mutation.getAffectedTableNames());
            return rows.in(given, context.getSession(), change);
        }
        return (mutation instanceof JdbcOperationQueryMutationNative
                        ? byText.shards(mutation, sent, true, context.getSession())
                        : Optional.<Set<Integer>>empty())
                .map(shards -> ChangedRows.in(shards, mutation.getSqlString(), change))
                .orElseGet(change::getAsInt);
    }
}
