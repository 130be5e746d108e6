package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.ShardRule;
import io.github.shardedid.id.MalformedIdException;
import io.github.shardedid.routing.SecondWriteShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.topology.UnknownShardException;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.query.spi.QueryParameterBinding;
import org.hibernate.query.spi.QueryParameterBindings;
import org.hibernate.query.spi.QueryParameterImplementor;
import org.hibernate.query.sqm.internal.DomainParameterXref;
import org.hibernate.query.sqm.tree.SqmStatement;
import org.hibernate.query.sqm.tree.expression.SqmParameter;
import org.jspecify.annotations.Nullable;

/**
 * The rows that an HQL or criteria statement changes: those whose ids or shard keys are the values of its parameters. Safe for use by
 * several threads.
 *
 * @param entityName for messages
 */
public record ChangedRows(String entityName, RequiredValues required, DomainParameterXref parameters) {
    /** Empty if the condition of the statement does not fix them. */
    public static Optional<ChangedRows> of(
            SqmStatement<?> statement, String entityName, DomainParameterXref parameters, AttributeRules shards) {
        return RequiredValues.of(statement, shards, SqmParameter.class::isInstance)
                .map(required -> new ChangedRows(entityName, required, parameters))
                .filter(rows -> rows.required.values().stream()
                        .allMatch(value -> rows.parameter((SqmParameter<?>) value) != null));
    }

    /** Flushes as the statement is about to, but in the scope of the caller, which is that of its listeners and validators. */
    public static void flush(SharedSessionContractImplementor session, Set<String> tables) {
        session.autoFlushIfRequired(tables);
    }

    /**
     * Changes the rows in their shard, whatever scope is open.
     *
     * @param given the values of the parameters
     * @param change sends the statement; not called if no row can have these values
     * @return the number of changed rows
     * @throws UnknownShardException if no shard can have generated one of the ids
     * @throws MalformedIdException likewise
     * @throws SecondWriteShardException if the rows are in several shards
     */
    public int in(QueryParameterBindings given, IntSupplier change) {
        return in(shards(given), entityName, change);
    }

    /**
     * Changes rows in their shard, whatever scope is open.
     *
     * @param what what is changed, for messages
     */
    static int in(SortedSet<Integer> shards, String what, IntSupplier change) {
        if (shards.size() > 1) {
            throw new SecondWriteShardException("A statement would change rows in the shards " + shards
                    + ", but a transaction writes to one shard: " + what
                    + ". Execute it once per shard, with the values of"
                    + " that shard, each in a transaction of its own. Nothing was sent.");
        } else if (shards.isEmpty()) {
            return 0;
        }
        try (ShardContext.Scope scope = ShardContext.open(shards.first())) {
            return change.getAsInt();
        }
    }

    private SortedSet<Integer> shards(QueryParameterBindings given) {
        ShardRule rule = required.rule();
        SortedSet<Integer> shards = new TreeSet<>();
        required.values().stream()
                .flatMap(value -> values(given, (SqmParameter<?>) value))
                .flatMap(ShardsOfValues::elements)
                .forEach(value -> shards.add(rule.shardOf(value)));
        return shards;
    }

    private Stream<?> values(QueryParameterBindings given, SqmParameter<?> value) {
        QueryParameterImplementor<?> parameter = parameter(value);
        QueryParameterBinding<?> bound = parameter == null ? null : given.getBinding(parameter);
        if (bound == null) {
            return Stream.empty();
        }
        Collection<?> several = bound.isMultiValued() ? bound.getBindValues() : null;
        return several == null
                ? Stream.ofNullable(bound.getBindValue())
                : several.stream().filter(each -> each != null);
    }

    private @Nullable QueryParameterImplementor<?> parameter(SqmParameter<?> value) {
        return parameters.getQueryParameter(QueryTargets.asTranslated(value, parameters));
    }
}
