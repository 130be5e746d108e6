package io.github.shardedid.hibernate.internal.persister;

import io.github.shardedid.routing.RoutedScope;
import org.hibernate.engine.jdbc.batch.spi.Batch;
import org.hibernate.engine.jdbc.batch.spi.BatchBuilder;
import org.hibernate.engine.jdbc.batch.spi.BatchKey;
import org.hibernate.engine.jdbc.batch.spi.BatchObserver;
import org.hibernate.engine.jdbc.mutation.JdbcValueBindings;
import org.hibernate.engine.jdbc.mutation.TableInclusionChecker;
import org.hibernate.engine.jdbc.mutation.group.PreparedStatementGroup;

/**
 * A batch of Hibernate's, executed in the scope in which it was begun. A stateless session may execute a batch as late as at
 * the commit, in another scope.
 *
 * <p>A batch prepares its statements when it is executed, or with its first row; either has to be in the shard of
 * its rows.
 *
 * @param batch Hibernate's own
 * @param execution executes it in that scope
 */
public record ScopedBatch(Batch batch, Runnable execution) implements Batch {
    /** Returns a builder of such batches. */
    public static BatchBuilder builder(BatchBuilder batches) {
        return (key, size, statements, coordinator) -> {
            Batch batch = batches.buildBatch(key, size, statements, coordinator);
            return new ScopedBatch(batch, RoutedScope.carry(batch::execute));
        };
    }

    @Override
    public BatchKey getKey() {
        return batch.getKey();
    }

    @Override
    public void addObserver(BatchObserver observer) {
        batch.addObserver(observer);
    }

    @Override
    public PreparedStatementGroup getStatementGroup() {
        return batch.getStatementGroup();
    }

    @Override
    public void addToBatch(JdbcValueBindings values, TableInclusionChecker tables) {
        batch.addToBatch(values, tables);
    }

    @Override
    public void addToBatch(JdbcValueBindings values, TableInclusionChecker tables, StaleStateMapper mapper) {
        batch.addToBatch(values, tables, mapper);
    }

    @Override
    public void execute() {
        execution.run();
    }

    @Override
    public void release() {
        batch.release();
    }
}
