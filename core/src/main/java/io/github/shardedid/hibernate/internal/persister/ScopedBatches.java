package io.github.shardedid.hibernate.internal.persister;

import io.github.shardedid.routing.RoutedScope;
import java.util.function.Supplier;
import org.hibernate.engine.jdbc.batch.spi.Batch;
import org.hibernate.engine.jdbc.batch.spi.BatchBuilder;
import org.hibernate.engine.jdbc.batch.spi.BatchKey;
import org.hibernate.engine.jdbc.batch.spi.BatchObserver;
import org.hibernate.engine.jdbc.mutation.JdbcValueBindings;
import org.hibernate.engine.jdbc.mutation.TableInclusionChecker;
import org.hibernate.engine.jdbc.mutation.group.PreparedStatementGroup;
import org.hibernate.engine.jdbc.spi.JdbcCoordinator;

/**
 * Hibernate's batches, each executed in the scope in which it was begun. A stateless session may execute a batch as late as at
 * the commit, in another scope.
 */
public record ScopedBatches(BatchBuilder batches) implements BatchBuilder {
    @Override
    public Batch buildBatch(
            BatchKey key, Integer size, Supplier<PreparedStatementGroup> statements, JdbcCoordinator coordinator) {
        Batch batch = batches.buildBatch(key, size, statements, coordinator);
        return new ScopedBatch(batch, RoutedScope.carry(batch::execute));
    }

    private record ScopedBatch(Batch batch, Runnable execution) implements Batch {
        @Override
        public void execute() {
            execution.run();
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
        @SuppressWarnings("removal")
        public void addToBatch(JdbcValueBindings values, TableInclusionChecker tables) {
            batch.addToBatch(values, tables);
        }

        @Override
        public void addToBatch(JdbcValueBindings values, TableInclusionChecker tables, StaleStateMapper mapper) {
            batch.addToBatch(values, tables, mapper);
        }

        @Override
        public void release() {
            batch.release();
        }
    }
}
