package io.github.shardedid.hibernate.internal.queries;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import io.github.shardedid.routing.RoutedScope;
import io.github.shardedid.routing.Target;
import java.util.function.Supplier;
import org.hibernate.HibernateException;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.query.spi.QueryParameterBindings;
import org.hibernate.sql.exec.spi.ExecutionContext;
import org.hibernate.sql.exec.spi.JdbcParameterBindings;
import org.hibernate.sql.exec.spi.JdbcSelect;
import org.hibernate.sql.exec.spi.JdbcSelectExecutor;
import org.hibernate.sql.results.spi.ResultsConsumer;
import org.hibernate.sql.results.spi.RowTransformer;
import org.jspecify.annotations.Nullable;

/**
 * Executes the HQL queries of Hibernate Envers in the shard that their parameters name. Envers reads audit tables by HQL only, and also
 * later, when a collection or an association of a historic entity is used; so this does not depend on who calls it. Other queries are
 * executed in the scope that is open. Safe for use by several threads.
 */
final class AuditSelects implements JdbcSelectExecutor {
    private final Sharding sharding;
    private final JdbcSelectExecutor next;
    private final Cache<String, AuditQuery> queries =
            Caffeine.newBuilder().maximumSize(4_096).build();

    AuditSelects(Sharding sharding, JdbcSelectExecutor next) {
        this.sharding = sharding;
        this.next = next;
    }

    @Override
    public <T, R> T executeQuery(
            JdbcSelect select,
            JdbcParameterBindings parameters,
            ExecutionContext context,
            RowTransformer<R> transformer,
            Class<R> resultType,
            StatementCreator statements,
            ResultsConsumer<T, R> consumer) {
        return at(
                context,
                () -> next.executeQuery(select, parameters, context, transformer, resultType, statements, consumer));
    }

    @Override
    public <T, R> T executeQuery(
            JdbcSelect select,
            JdbcParameterBindings parameters,
            ExecutionContext context,
            RowTransformer<R> transformer,
            Class<R> resultType,
            int estimatedRows,
            StatementCreator statements,
            ResultsConsumer<T, R> consumer) {
        return at(
                context,
                () -> next.executeQuery(
                        select, parameters, context, transformer, resultType, estimatedRows, statements, consumer));
    }

    private <T> T at(ExecutionContext context, Supplier<T> execution) {
        Target.Single target = targetOf(context);
        return target == null ? execution.get() : RoutedScope.call(target, execution);
    }

    private Target.@Nullable Single targetOf(ExecutionContext context) {
        String hql = context.getQueryIdentifier("");
        QueryParameterBindings bindings = context.getQueryParameterBindings();
        // Loads by id, native queries and criteria have no HQL.
        if (hql == null || bindings == null || hql.isEmpty() || hql.startsWith("[")) {
            return null;
        }
        SessionFactoryImplementor factory = context.getSession().getFactory();
        return queries.get(hql, text -> query(text, factory)).target(hql, bindings, sharding.cluster());
    }

    private AuditQuery query(String hql, SessionFactoryImplementor factory) {
        try {
            return AuditQuery.of(hql, sharding.mappings().auditTables(), factory);
        } catch (HibernateException | IllegalArgumentException e) {
            return AuditQuery.NONE; // has no meaning without its result type, which the queries of Envers do not need
        }
    }
}
