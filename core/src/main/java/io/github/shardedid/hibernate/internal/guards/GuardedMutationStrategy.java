package io.github.shardedid.hibernate.internal.guards;

import org.hibernate.engine.jdbc.connections.spi.JdbcConnectionAccess;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.metamodel.mapping.internal.MappingModelCreationProcess;
import org.hibernate.query.spi.DomainQueryExecutionContext;
import org.hibernate.query.sqm.internal.DomainParameterXref;
import org.hibernate.query.sqm.mutation.spi.MultiTableHandlerBuildResult;
import org.hibernate.query.sqm.mutation.spi.SqmMultiTableMutationStrategy;
import org.hibernate.query.sqm.tree.SqmDeleteOrUpdateStatement;

/** Checks each HQL or criteria statement that changes rows of several tables, and executes it in the shard of its rows. */
public record GuardedMutationStrategy(SqmMultiTableMutationStrategy target) implements SqmMultiTableMutationStrategy {
    @Override
    public MultiTableHandlerBuildResult buildHandler(
            SqmDeleteOrUpdateStatement<?> statement,
            DomainParameterXref parameters,
            DomainQueryExecutionContext context) {
        return RoutedHandler.of(
                statement, parameters, context, () -> target.buildHandler(statement, parameters, context));
    }

    @Override
    @SuppressWarnings("removal") // some strategies override only this one
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
