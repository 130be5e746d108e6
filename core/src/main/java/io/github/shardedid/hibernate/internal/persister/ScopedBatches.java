package io.github.shardedid.hibernate.internal.persister;

import io.github.shardedid.hibernate.internal.routing.Overridden;
import io.github.shardedid.routing.RoutedScope;
import java.util.function.Supplier;
import org.hibernate.engine.jdbc.batch.spi.Batch;
import org.hibernate.engine.jdbc.batch.spi.BatchBuilder;
import org.hibernate.engine.jdbc.batch.spi.BatchKey;
import org.hibernate.engine.jdbc.mutation.group.PreparedStatementGroup;
import org.hibernate.engine.jdbc.spi.JdbcCoordinator;

/**
 * Hibernate's batches, each executed in the scope in which it was begun. A stateless session may execute a batch as late as at
 * the commit, in another scope.
 *
 * <p>A batch prepares its statements when it is executed, or with its first row; either has to be in the shard of
 * its rows.
 */
public record ScopedBatches(BatchBuilder batches) implements BatchBuilder {
    @Override
    public Batch buildBatch(
            BatchKey key, Integer size, Supplier<PreparedStatementGroup> statements, JdbcCoordinator coordinator) {
        Batch batch = batches.buildBatch(key, size, statements, coordinator);
        Runnable execution = RoutedScope.carry(batch::execute);
        return Overridden.of(
                Batch.class,
                batch,
                (method, arguments, call) -> {
                    execution.run();
                    return null;
                },
                "execute");
    }
}
