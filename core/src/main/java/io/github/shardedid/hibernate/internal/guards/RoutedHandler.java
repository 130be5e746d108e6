package io.github.shardedid.hibernate.internal.guards;

import io.github.shardedid.hibernate.internal.queries.ChangedRows;
import io.github.shardedid.hibernate.internal.queries.EntityShardRules;
import io.github.shardedid.hibernate.internal.queries.ForeignPaths;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import java.util.Arrays;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.hibernate.engine.jdbc.connections.spi.JdbcConnectionAccess;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.metamodel.mapping.internal.MappingModelCreationProcess;
import org.hibernate.query.spi.DomainQueryExecutionContext;
import org.hibernate.query.spi.QueryOptions;
import org.hibernate.query.sqm.internal.DomainParameterXref;
import org.hibernate.query.sqm.mutation.spi.MultiTableHandler;
import org.hibernate.query.sqm.mutation.spi.MultiTableHandlerBuildResult;
import org.hibernate.query.sqm.mutation.spi.SqmMultiTableInsertStrategy;
import org.hibernate.query.sqm.mutation.spi.SqmMultiTableMutationStrategy;
import org.hibernate.query.sqm.tree.SqmDeleteOrUpdateStatement;
import org.hibernate.query.sqm.tree.SqmDmlStatement;
import org.hibernate.query.sqm.tree.insert.SqmInsertStatement;
import org.hibernate.sql.exec.spi.JdbcParameterBindings;

/** Executes a statement that changes rows of several tables, in the shard of its rows. */
public record RoutedHandler(MultiTableHandler target, ChangedRows rows) implements MultiTableHandler {
    /**
     * Checks a statement, and routes what executes it.
     *
     * @param standard creates what Hibernate executes it by
     */
    static MultiTableHandlerBuildResult of(
            SqmDmlStatement<?> statement,
            DomainParameterXref parameters,
            DomainQueryExecutionContext context,
            Supplier<MultiTableHandlerBuildResult> standard) {
        SessionFactoryImplementor factory = context.getSession().getFactory();
        EntityShardRules shards = new EntityShardRules(Sharding.require(factory), factory);
        ForeignPaths.check(statement, factory);
        BulkKeyGuard.check(statement, shards);
        MultiTableHandlerBuildResult built = standard.get();
        return ChangedRows.of(statement, statement.getTarget().getEntityName(), parameters, shards)
                .map(rows -> new MultiTableHandlerBuildResult(
                        new RoutedHandler(built.multiTableHandler(), rows), built.firstJdbcParameterBindings()))
                .orElse(built);
    }

    @Override
    public JdbcParameterBindings createJdbcParameterBindings(DomainQueryExecutionContext context) {
        return target.createJdbcParameterBindings(context);
    }

    @Override
    public boolean dependsOnParameterBindings() {
        return target.dependsOnParameterBindings();
    }

    @Override
    public boolean isCompatibleWith(JdbcParameterBindings bindings, QueryOptions options) {
        return target.isCompatibleWith(bindings, options);
    }

    @Override
    public int execute(JdbcParameterBindings bindings, DomainQueryExecutionContext context) {
        SharedSessionContractImplementor session = context.getSession();
        Set<String> tables = Arrays.stream(session.getFactory()
                        .getMappingMetamodel()
                        .getEntityDescriptor(rows.entityName())
                        .getQuerySpaces())
                .map(Object::toString)
                .collect(Collectors.toSet());
        ChangedRows.flush(session, tables);
        return rows.in(context.getQueryParameterBindings(), session, () -> target.execute(bindings, context));
    }

    /** Checks each HQL or criteria statement that inserts into several tables. */
    public record Inserts(SqmMultiTableInsertStrategy target) implements SqmMultiTableInsertStrategy {
        @Override
        public MultiTableHandlerBuildResult buildHandler(
                SqmInsertStatement<?> statement, DomainParameterXref parameters, DomainQueryExecutionContext context) {
            SessionFactoryImplementor factory = context.getSession().getFactory();
            BulkKeyGuard.check(statement, new EntityShardRules(Sharding.require(factory), factory));
            return target.buildHandler(statement, parameters, context);
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

    /** Checks each HQL or criteria statement that changes rows of several tables, and executes it in the shard of its rows. */
    public record Mutations(SqmMultiTableMutationStrategy target) implements SqmMultiTableMutationStrategy {
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
}
