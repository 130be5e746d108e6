package io.github.shardedid.hibernate.internal.unroutable;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.routing.Overridden;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import io.github.shardedid.routing.RoutedScope;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.UnsupportedStatementException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.sql.results.graph.Initializer;
import org.hibernate.sql.results.graph.entity.EntityInitializer;
import org.hibernate.sql.results.internal.RowProcessingStateStandardImpl;
import org.hibernate.sql.results.jdbc.spi.JdbcValues;
import org.hibernate.sql.results.jdbc.spi.JdbcValuesMapping;
import org.hibernate.sql.results.jdbc.spi.JdbcValuesSourceProcessingOptions;
import org.hibernate.sql.results.jdbc.spi.JdbcValuesSourceProcessingState;
import org.hibernate.sql.results.spi.ResultsConsumer;
import org.hibernate.sql.results.spi.RowReader;
import org.hibernate.sql.results.spi.ScrollableResultsConsumer;

/**
 * Keeps the results of queries to one shard, if they contain entities whose ids are unique only within a shard, and reads the rows of
 * streams in the scope in which they were queried. Safe for use by several threads.
 *
 * <p>Hibernate identifies an entity in a session by its type and id. With an id such as {@code 17} in two shards,
 * the second row would be taken for the first one, and its values be lost. So a session holds rows
 * of one shard of such an entity. And a stream creates entities while the application consumes it, when the scope
 * of the query has been closed: their shard is noted by the scope that is open at that time, so it is opened again
 * for each row.
 */
final class UnroutableResults {
    private final Sharding sharding;
    private final Map<String, RowShards> rows;

    /**
     * The mappings of entities in a result, of which those in the values are kept to one shard.
     *
     * <p>Weak, because Hibernate drops mappings of queries that its plan cache evicts. Compared by identity.
     */
    private final Cache<JdbcValuesMapping, List<RowShards>> known =
            Caffeine.newBuilder().weakKeys().build();

    UnroutableResults(Sharding sharding, Map<String, RowShards> rows) {
        this.sharding = sharding;
        this.rows = rows;
    }

    /** Returns a consumer that checks a result before it reads it. */
    <T, R> ResultsConsumer<T, R> checked(ResultsConsumer<T, R> next) {
        return new Checked<>(this, next);
    }

    /** Checks the entities of a result before its statement is sent. */
    private void check(JdbcValues values, SharedSessionContractImplementor session) {
        List<RowShards> entities =
                known.get(values.getValuesMapping(), mapping -> entities(mapping, session.getFactory()));
        OptionalInt shard = sharding.shard(session);
        for (RowShards entity : entities) {
            if (shard.isPresent()) {
                entity.keepToOne(session, shard.getAsInt());
            } else if (ShardContext.target() instanceof ShardSet) {
                throw new UnsupportedStatementException("A query over several shards cannot return "
                        + entity.mapping().entityName()
                        + ": its ids are unique only within a shard, so Hibernate would take rows of two shards for one. Select"
                        + " its attributes instead of the entity, or query each shard in a session of its own.");
            }
        }
    }

    /**
     * Returns the entities of a result, with those that are fetched, once for each table: two entities of a
     * hierarchy share their ids.
     */
    private List<RowShards> entities(JdbcValuesMapping mapping, SessionFactoryImplementor factory) {
        Map<String, RowShards> found = new HashMap<>();
        for (Initializer<?> initializer : mapping.resolveAssemblers(factory).getInitializers()) {
            if (initializer instanceof EntityInitializer<?> entity) {
                RowShards own = rows.get(entity.getEntityDescriptor().getEntityName());
                if (own != null && own.mapping().ownId() == ShardedMapping.Uniqueness.SHARD) {
                    found.putIfAbsent(own.mapping().table(), own);
                }
            }
        }
        return List.copyOf(found.values());
    }

    private record Checked<T, R>(UnroutableResults results, ResultsConsumer<T, R> next)
            implements ResultsConsumer<T, R> {
        @Override
        public T consume(
                JdbcValues values,
                SharedSessionContractImplementor session,
                JdbcValuesSourceProcessingOptions options,
                JdbcValuesSourceProcessingState state,
                RowProcessingStateStandardImpl row,
                RowReader<R> reader) {
            results.check(values, session);
            Target target = results.sharding.target(session);
            boolean later = next instanceof ScrollableResultsConsumer && target != null;
            return next.consume(
                    values, session, options, state, row, later && target != null ? scoped(reader, target) : reader);
        }

        @Override
        public boolean canResultsBeCached() {
            return next.canResultsBeCached();
        }
    }

    /** Reads rows in a scope, also later than the query. All methods are executed alike. */
    @SuppressWarnings("unchecked")
    private static <R> RowReader<R> scoped(RowReader<R> reader, Target target) {
        return Overridden.of(RowReader.class, reader, (method, arguments, call) -> {
            try (ShardContext.Scope scope = RoutedScope.open(target)) {
                return call.on(reader);
            }
        });
    }
}
