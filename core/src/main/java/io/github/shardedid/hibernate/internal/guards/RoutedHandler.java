package io.github.shardedid.hibernate.internal.guards;

import io.github.shardedid.hibernate.internal.queries.ChangedRows;
import io.github.shardedid.hibernate.internal.queries.EntityShardRules;
import io.github.shardedid.hibernate.internal.routing.Overridden;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.query.spi.DomainQueryExecutionContext;
import org.hibernate.query.sqm.internal.DomainParameterXref;
import org.hibernate.query.sqm.mutation.spi.MultiTableHandler;
import org.hibernate.query.sqm.mutation.spi.MultiTableHandlerBuildResult;
import org.hibernate.query.sqm.mutation.spi.SqmMultiTableInsertStrategy;
import org.hibernate.query.sqm.mutation.spi.SqmMultiTableMutationStrategy;
import org.hibernate.query.sqm.tree.SqmDmlStatement;

/**
 * Executes a statement that changes rows of several tables, in the shard of its rows.
 *
 * <p>Hibernate executes an UPDATE or DELETE of joined or union subclasses by several statements, with ids in a
 * temporary table or by a subselect in each. It obtains them from a strategy of the persister, and not from the
 * translator, so they need a guard and a route of their own. All statements are executed in one scope, and so by
 * one connection. A statement whose condition fixes no rows keeps Hibernate's handler.
 */
public final class RoutedHandler {
    private RoutedHandler() {}

    /** Returns a strategy that checks each HQL or criteria statement that changes rows of several tables, and executes it in their shard. */
    public static SqmMultiTableMutationStrategy changing(SqmMultiTableMutationStrategy target) {
        return (statement, parameters, context) ->
                of(statement, parameters, context, () -> target.buildHandler(statement, parameters, context));
    }

    /** Returns a strategy that checks each HQL or criteria statement that inserts into several tables. */
    public static SqmMultiTableInsertStrategy inserting(SqmMultiTableInsertStrategy target) {
        return (statement, parameters, context) ->
                of(statement, parameters, context, () -> target.buildHandler(statement, parameters, context));
    }

    /**
     * Hibernate has prepared the strategy that creates its own handler. So the statement is checked before
     * Hibernate builds anything.
     */
    private static MultiTableHandlerBuildResult of(
            SqmDmlStatement<?> statement,
            DomainParameterXref parameters,
            DomainQueryExecutionContext context,
            Supplier<MultiTableHandlerBuildResult> standard) {
        SessionFactoryImplementor factory = context.getSession().getFactory();
        EntityShardRules shards = GuardedTranslatorFactory.checked(statement, factory);
        MultiTableHandlerBuildResult built = standard.get();
        return ChangedRows.of(statement, statement.getTarget().getEntityName(), parameters, shards)
                .map(rows -> new MultiTableHandlerBuildResult(
                        Overridden.of(
                                MultiTableHandler.class,
                                built.multiTableHandler(),
                                (method, arguments, call) -> execute(
                                        rows, (DomainQueryExecutionContext) Objects.requireNonNull(arguments[1]), () ->
                                                (Integer) Objects.requireNonNull(call.on(built.multiTableHandler()))),
                                "execute"),
                        built.firstJdbcParameterBindings()))
                .orElse(built);
    }

    private static int execute(ChangedRows rows, DomainQueryExecutionContext context, IntSupplier change) {
        SharedSessionContractImplementor session = context.getSession();
        Set<String> tables = Arrays.stream(session.getFactory()
                        .getMappingMetamodel()
                        .getEntityDescriptor(rows.entityName())
                        .getQuerySpaces())
                .map(Object::toString)
                .collect(Collectors.toSet());
        // In the scope of the caller, before the one of the rows is opened.
        ChangedRows.flush(session, tables);
        return rows.in(context.getQueryParameterBindings(), session, change);
    }
}
