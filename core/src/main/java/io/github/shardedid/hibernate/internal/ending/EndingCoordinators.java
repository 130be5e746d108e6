package io.github.shardedid.hibernate.internal.ending;

import org.hibernate.engine.jdbc.spi.JdbcCoordinator;
import org.hibernate.resource.jdbc.spi.PhysicalConnectionHandlingMode;
import org.hibernate.resource.transaction.spi.DdlTransactionIsolator;
import org.hibernate.resource.transaction.spi.TransactionCoordinator;
import org.hibernate.resource.transaction.spi.TransactionCoordinatorBuilder;
import org.hibernate.resource.transaction.spi.TransactionCoordinatorOwner;
import org.hibernate.tool.schema.internal.exec.JdbcContext;

/** Makes coordinators of transactions that know when the flush of a commit runs. With JTA, they are Hibernate's own. */
public record EndingCoordinators(TransactionCoordinatorBuilder next) implements TransactionCoordinatorBuilder {
    @Override
    public TransactionCoordinator buildTransactionCoordinator(TransactionCoordinatorOwner owner, Options options) {
        if (next.isJta() || !(owner instanceof JdbcCoordinator coordinator)) {
            return next.buildTransactionCoordinator(owner, options);
        }
        EndingOwner ending = new EndingOwner(owner, coordinator);
        return new EndingCoordinator(next.buildTransactionCoordinator(ending, options), ending, this);
    }

    @Override
    public boolean isJta() {
        return next.isJta();
    }

    @Override
    public PhysicalConnectionHandlingMode getDefaultConnectionHandlingMode() {
        return next.getDefaultConnectionHandlingMode();
    }

    @Override
    public DdlTransactionIsolator buildDdlTransactionIsolator(JdbcContext jdbcContext) {
        return next.buildDdlTransactionIsolator(jdbcContext);
    }
}
