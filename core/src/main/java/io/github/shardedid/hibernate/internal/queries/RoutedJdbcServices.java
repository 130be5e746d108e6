package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import io.github.shardedid.hibernate.internal.routing.CopiedRows;
import io.github.shardedid.hibernate.internal.routing.SessionShards;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import io.github.shardedid.hibernate.internal.routing.UnroutableIds;
import io.github.shardedid.routing.ShardContext;
import java.sql.PreparedStatement;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.IntSupplier;
import org.hibernate.collection.spi.PersistentCollection;
import org.hibernate.engine.jdbc.internal.JdbcServicesImpl;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.query.results.ResultSetMapping;
import org.hibernate.query.spi.QueryParameterBindings;
import org.hibernate.sql.exec.internal.JdbcOperationQueryMutationNative;
import org.hibernate.sql.exec.internal.JdbcSelectExecutorStandardImpl;
import org.hibernate.sql.exec.internal.StandardJdbcMutationExecutor;
import org.hibernate.sql.exec.spi.ExecutionContext;
import org.hibernate.sql.exec.spi.JdbcMutationExecutor;
import org.hibernate.sql.exec.spi.JdbcOperationQueryMutation;
import org.hibernate.sql.exec.spi.JdbcParameterBindings;
import org.hibernate.sql.exec.spi.JdbcSelect;
import org.hibernate.sql.exec.spi.JdbcSelectExecutor;
import org.hibernate.sql.results.jdbc.spi.JdbcValuesMappingProducer;
import org.hibernate.sql.results.spi.ResultsConsumer;
import org.hibernate.sql.results.spi.RowTransformer;
import org.hibernate.sql.results.spi.ScrollableResultsConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Hibernate's own services, with executors that execute a statement in the shards that its parameters determine, else where it would be
 * executed anyway.
 *
 * <p>Through these executors, Hibernate sends HQL, criteria and native queries, loads by id included, after
 * parameters have been bound and before the statement is prepared. The translators know the text without values,
 * and the connection knows the SQL, but not which of its parameters is which key.
 */
public final class RoutedJdbcServices extends JdbcServicesImpl {
    private final QueryTargets targets;
    private final JdbcMutationExecutor mutations;
    /** Replaced before any session is opened. */
    private volatile JdbcSelectExecutor selects;

    /** Creates services with other executors, which know the targets, for a data source that does not route. */
    public RoutedJdbcServices(QueryTargets targets, JdbcSelectExecutor selects, JdbcMutationExecutor mutations) {
        this.targets = targets;
        this.selects = selects;
        this.mutations = mutations;
    }

    /** Creates the services of a session factory whose data source routes. */
    public static RoutedJdbcServices of(Sharding sharding) {
        QueryTargets targets = new QueryTargets(sharding);
        return new RoutedJdbcServices(targets, new Selects(targets, null, null, null), new Mutations(targets));
    }

    /** Adds the checks that the mappings need, which are read after the services are created, and before any session is opened. */
    public static void check(SessionFactoryImplementor factory) {
        RoutedJdbcServices services = (RoutedJdbcServices) factory.getJdbcServices();
        Sharding sharding = services.targets.sharding();
        ShardedMappings mappings = sharding.mappings();
        services.selects = new Selects(
                services.targets,
                sharding.sessionShards(),
                sharding.unroutableIds(),
                mappings.replicated().isEmpty() ? null : mappings);
    }

    /** Returns the rules of a session factory with these services. */
    public static EntityShardRules rules(SessionFactoryImplementor factory) {
        return new EntityShardRules(targets(factory).sharding(), factory);
    }

    /** Returns the targets of the queries of a session factory with these services. */
    public static QueryTargets targets(SessionFactoryImplementor factory) {
        return ((RoutedJdbcServices) factory.getJdbcServices()).targets;
    }

    @Override
    public JdbcSelectExecutor getJdbcSelectExecutor() {
        return selects;
    }

    @Override
    public JdbcMutationExecutor getJdbcMutationExecutor() {
        return mutations;
    }

    /**
     * The executor of queries. The scope is open only while the statement is executed and, except for streams,
     * its rows are read.
     *
     * @param sessions null if sessions have no shards
     * @param unroutable null if each id names a shard
     * @param replicated null if no entity is read in all databases
     */
    private record Selects(
            QueryTargets targets,
            @Nullable SessionShards sessions,
            @Nullable UnroutableIds unroutable,
            @Nullable ShardedMappings replicated)
            implements JdbcSelectExecutor {
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
            ResultsConsumer<T, R> read = unroutable == null ? results : unroutable.checked(results);
            JdbcValuesMappingProducer rows = select.getJdbcValuesMappingProducer();
            // Any other statement is a load by id, whose scope the persister has opened.
            try (ShardContext.Scope scope = rows instanceof RoutedSelect.Results routed
                    ? targets.open(routed.required(), context)
                    : rows instanceof ResultSetMapping
                            ? targets.openNative(select, bindings, context.getSession())
                            : null) {
                SharedSessionContractImplementor session = context.getSession();
                if (sessions != null) {
                    sessions.check(session, select.getAffectedTableNames());
                }
                List<PersistentCollection<?>> lazy =
                        replicated == null ? List.of() : CopiedRows.lazy(replicated, session);
                try {
                    return STANDARD.executeQuery(
                            select, bindings, context, transformer, type, estimate, statements, read);
                } finally {
                    if (!lazy.isEmpty()) {
                        boolean later = results instanceof ScrollableResultsConsumer;
                        CopiedRows.fetched(lazy, later ? select.getAffectedTableNames() : Set.of(), session);
                    }
                }
            }
        }
    }

    /**
     * The executor of statements that change rows:
     *
     * <ol>
     *   <li>An HQL or criteria statement whose condition fixes its rows is executed in their shard, after a flush
     *       in the scope of the caller.
     *   <li>A native one is executed in the shard of the ids that its SQL requires.
     *   <li>Any other one is executed in the open scope.
     * </ol>
     */
    private record Mutations(QueryTargets targets) implements JdbcMutationExecutor {
        private static final JdbcMutationExecutor STANDARD = StandardJdbcMutationExecutor.INSTANCE;

        @Override
        public int execute(
                JdbcOperationQueryMutation mutation,
                JdbcParameterBindings sent,
                Function<String, PreparedStatement> statements,
                BiConsumer<Integer, PreparedStatement> expectation,
                ExecutionContext context) {
            SharedSessionContractImplementor session = context.getSession();
            QueryParameterBindings given = context.getQueryParameterBindings();
            ChangedRows rows = targets.changedBy(sent, given);
            // Checked when the scope of the rows is open: without one, the tenant's shard would be used.
            IntSupplier change = () -> {
                targets.sharding().checkShardOf(session, mutation.getAffectedTableNames());
                return STANDARD.execute(mutation, sent, statements, expectation, context);
            };
            if (rows != null) {
                ChangedRows.flush(session, mutation.getAffectedTableNames());
                return rows.in(given, session, change);
            }
            Set<Integer> shards = mutation instanceof JdbcOperationQueryMutationNative
                    ? targets.ofNative(mutation, sent, true, session)
                    : null;
            return shards == null ? change.getAsInt() : ChangedRows.in(shards, mutation.getSqlString(), change);
        }
    }
}
