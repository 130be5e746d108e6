package io.github.shardedid.hibernate.internal.ending;

import org.hibernate.jpa.spi.JpaCompliance;
import org.hibernate.resource.transaction.internal.SynchronizationRegistryStandardImpl;
import org.hibernate.resource.transaction.spi.IsolationDelegate;
import org.hibernate.resource.transaction.spi.SynchronizationRegistry;
import org.hibernate.resource.transaction.spi.TransactionCoordinator;
import org.hibernate.resource.transaction.spi.TransactionCoordinatorBuilder;
import org.hibernate.resource.transaction.spi.TransactionObserver;

/**
 * Hibernate's coordinator of a session's transactions, which also knows whether anybody but the session takes part in a commit. For
 * one thread at a time.
 */
final class EndingCoordinator implements TransactionCoordinator {
    private final TransactionCoordinator next;
    private final EndingOwner owner;
    private final TransactionCoordinatorBuilder builder;
    private boolean observed;

    EndingCoordinator(TransactionCoordinator next, EndingOwner owner, TransactionCoordinatorBuilder builder) {
        this.next = next;
        this.owner = owner;
        this.builder = builder;
    }

    /** Whether the session works for the commit, and neither an observer nor a synchronization was ever there that could fail it after. */
    boolean isEndingAlone() {
        return owner.isEnding()
                && !observed
                && next.getLocalSynchronizations() instanceof SynchronizationRegistryStandardImpl registry
                && registry.getNumberOfRegisteredSynchronizations() == 0;
    }

    @Override
    public void addObserver(TransactionObserver observer) {
        observed = true; // such as a session that shares this transaction, and flushes after its owner
        next.addObserver(observer);
    }

    @Override
    public void removeObserver(TransactionObserver observer) {
        next.removeObserver(observer);
    }

    @Override
    public TransactionCoordinatorBuilder getTransactionCoordinatorBuilder() {
        return builder;
    }

    @Override
    public TransactionDriver getTransactionDriverControl() {
        return next.getTransactionDriverControl();
    }

    @Override
    public SynchronizationRegistry getLocalSynchronizations() {
        return next.getLocalSynchronizations();
    }

    @Override
    public JpaCompliance getJpaCompliance() {
        return next.getJpaCompliance();
    }

    @Override
    public void explicitJoin() {
        next.explicitJoin();
    }

    @Override
    public boolean isJoined() {
        return next.isJoined();
    }

    @Override
    public void pulse() {
        next.pulse();
    }

    @Override
    public boolean isActive() {
        return next.isActive();
    }

    @Override
    public IsolationDelegate createIsolationDelegate() {
        return next.createIsolationDelegate();
    }

    @Override
    public void setTimeOut(int seconds) {
        next.setTimeOut(seconds);
    }

    @Override
    public int getTimeOut() {
        return next.getTimeOut();
    }

    @Override
    public boolean isTransactionActive() {
        return next.isTransactionActive();
    }

    @Override
    public void invalidate() {
        next.invalidate();
    }
}
