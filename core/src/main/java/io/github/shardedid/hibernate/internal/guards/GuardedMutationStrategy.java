package io.github.shardedid.hibernate.internal.guards;

import org.hibernate.engine.jdbc.connections.spi.JdbcConnectionAccess;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.metamodel.mapping.internal.MappingModelCreationProcess;
import org.hibernate.query.spi.DomainQueryExecutionContext;
import org.hibernate.query.sqm.internal.DomainParameterXref;
import org.hibernate.query.sqm.mutation.spi.MultiTableHandlerBuildResult;
import org.hibernate.query.sqm.mutation.spi.SqmMultiTableMutationStrategy;
import org.hibernate.query.sqm.tree.SqmDeleteOrUpdateStatement;
import org.jspecify.annotations.Nullable;

/** Looks at each statement of HQL or criteria that changes rows of several tables, before it becomes SQL. */
public record GuardedMutationStrategy(SqmMultiTableMutationStrategy target) implements SqmMultiTableMutationStrategy {
    public static @Nullable SqmMultiTableMutationStrategy of(@Nullable SqmMultiTableMutationStrategy target) {
        return target == null ? null : new GuardedMutationStrategy(target);
    }

    @Override
    public MultiTableHandlerBuildResult buildHandler(
            SqmDeleteOrUpdateStatement<?> statement,
            DomainParameterXref parameters,
            DomainQueryExecutionContext context) {
        BulkKeyGuard.check(statement, context.getSession().getFactory());
        return target.buildHandler(statement, parameters, context);
    }

    @Override
    @SuppressWarnings("removal") // for strategies that override this one only
    public void prepare(MappingModelCreationProcess process, JdbcConnectionAccess connections) {
        target.prepare(process, connections);
    }

    @Override
    public void prepare(MappingModelCreationProcess process) {
        target.prepare(process);
    }

    @Override
    public void release(SessionFactoryImplementor factory, JdbcConnectionAccess connections) {
        target.release(factory, connections);
    }
}
