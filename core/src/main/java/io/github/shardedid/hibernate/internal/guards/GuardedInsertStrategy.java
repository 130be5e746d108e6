package io.github.shardedid.hibernate.internal.guards;

import org.hibernate.engine.jdbc.connections.spi.JdbcConnectionAccess;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.metamodel.mapping.internal.MappingModelCreationProcess;
import org.hibernate.query.spi.DomainQueryExecutionContext;
import org.hibernate.query.sqm.internal.DomainParameterXref;
import org.hibernate.query.sqm.mutation.spi.MultiTableHandlerBuildResult;
import org.hibernate.query.sqm.mutation.spi.SqmMultiTableInsertStrategy;
import org.hibernate.query.sqm.tree.insert.SqmInsertStatement;

/** Checks each HQL or criteria statement that inserts into several tables, and executes it in the shard of its rows. */
public record GuardedInsertStrategy(SqmMultiTableInsertStrategy target) implements SqmMultiTableInsertStrategy {
    @Override
    public MultiTableHandlerBuildResult buildHandler(
            SqmInsertStatement<?> statement, DomainParameterXref parameters, DomainQueryExecutionContext context) {
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
