package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.id.MalformedIdException;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.RoutedScope;
import io.github.shardedid.routing.SecondWriteShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.topology.UnknownShardException;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntSupplier;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.query.spi.QueryParameterBindings;
import org.hibernate.query.sqm.internal.DomainParameterXref;
import org.hibernate.query.sqm.tree.SqmStatement;

/**
 * The rows that an HQL or criteria statement changes. Safe for use by several threads.
 *
 * <p>An UPDATE or DELETE by id or shard key needs no scope, as a query by them needs none. If the condition fixes
 * nothing, the statement goes to the open scope, and is refused if there is none: it is never sent to a shard by a
 * guess.
 *
 * @param entityName for messages
 */
public record ChangedRows(String entityName, RequiredRows required) {
    /**
     * Empty if the condition of the statement does not fix them.
     *
     * <p>Called when Hibernate translates the statement, without values: the result holds for all executions of the
     * text.
     */
    public static Optional<ChangedRows> of(
            SqmStatement<?> statement, String entityName, DomainParameterXref parameters, EntityShardRules shards) {
        return StatementReader.read(statement, shards)
                .map(read -> read.bind(parameters))
                .map(required -> new ChangedRows(entityName, required));
    }

    /**
     * Flushes as the statement is about to, but in the scope of the caller, which is that of its listeners and
     * validators.
     *
     * <p>Hibernate flushes as part of the execution, which would be in the scope of the changed rows. The flush
     * itself does not need a scope, because its plan knows the shard of each row; what the application does in it
     * does.
     */
    public static void flush(SharedSessionContractImplementor session, Set<String> tables) {
        session.autoFlushIfRequired(tables);
    }

    /**
     * Changes the rows in their shard, whatever scope is open.
     *
     * <p>An id that no shard can have generated is an error here, and not only a row that is not found: a caller
     * that changes rows means rows that exist.
     *
     * @param given the values of the parameters
     * @param session knows the rows whose ids name no shard
     * @param change sends the statement; not called if no row can have these values
     * @return the number of changed rows
     * @throws UnknownShardException if no shard can have generated one of the ids
     * @throws MalformedIdException likewise
     * @throws SecondWriteShardException if the rows are in several shards
     * @throws NoShardException if the statement has other rows, too, and the scope is not that of the values
     */
    public int in(QueryParameterBindings given, SharedSessionContractImplementor session, IntSupplier change) {
        Set<Integer> shards = new RequiredShards(required, given, session, true).find();
        return shards == null ? change.getAsInt() : in(shards, entityName, change);
    }

    /**
     * Changes rows in their shard, whatever scope is open.
     *
     * <p>Without a shard, no row can have the values, so nothing is sent, and 0 rows are changed. Two shards are
     * refused instead of changed one after the other, since a transaction writes to one shard.
     *
     * @param what what is changed, for messages
     */
    static int in(Set<Integer> shards, String what, IntSupplier change) {
        if (shards.size() > 1) {
            throw new SecondWriteShardException("A statement would change rows in the shards " + shards
                    + ", but a transaction writes to one shard: " + what
                    + ". Execute it once per shard, with the values of"
                    + " that shard, each in a transaction of its own. Nothing was sent.");
        } else if (shards.isEmpty()) {
            return 0;
        }
        try (ShardContext.Scope scope = RoutedScope.open(shards.iterator().next())) {
            return change.getAsInt();
        }
    }
}
