package io.github.shardedid.spring.data;

import org.hibernate.SessionFactory;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.resource.transaction.spi.TransactionCoordinatorBuilder;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transaction that a call of a repository joins. That of another transaction manager, such as one for the global database alone, is
 * none: the call begins its own. Safe for use by several threads.
 */
final class OpenTransaction {
    private final SessionFactoryImplementor factory;
    private final boolean isJta;

    /**
     * The transactions of a factory's sessions.
     *
     * @param factory creates the repository's sessions
     */
    OpenTransaction(SessionFactory factory) {
        this.factory = factory.unwrap(SessionFactoryImplementor.class);
        isJta = this.factory
                .getServiceRegistry()
                .requireService(TransactionCoordinatorBuilder.class)
                .isJta();
    }

    /**
     * Returns whether a call joins a transaction that has begun.
     *
     * @return false if the call begins one of its own
     */
    boolean isActive() {
        return TransactionSynchronizationManager.isActualTransactionActive()
                && (isJta
                        || TransactionSynchronizationManager.getResourceMap().values().stream()
                                .anyMatch(this::isOfFactory));
    }

    @SuppressWarnings("ReferenceEquality") // a factory equals only itself
    private boolean isOfFactory(Object resource) {
        return resource instanceof EntityManagerHolder holder
                && holder.getEntityManager()
                                .unwrap(SharedSessionContractImplementor.class)
                                .getFactory()
                        == factory
                && holder.getEntityManager().isJoinedToTransaction();
    }
}
