package io.github.shardedid.hibernate.internal.ending;

import org.hibernate.resource.jdbc.spi.JdbcSessionOwner;
import org.hibernate.resource.transaction.backend.jdbc.spi.JdbcResourceTransaction;
import org.hibernate.resource.transaction.backend.jdbc.spi.JdbcResourceTransactionAccess;
import org.hibernate.resource.transaction.spi.TransactionCoordinatorOwner;

/** A session's side of its transactions, which knows when the session does its last work before the commit. For one thread at a time. */
final class EndingOwner implements TransactionCoordinatorOwner, JdbcResourceTransactionAccess {
    private final TransactionCoordinatorOwner next;
    private final JdbcResourceTransactionAccess access;
    private boolean ending;

    EndingOwner(TransactionCoordinatorOwner next, JdbcResourceTransactionAccess access) {
        this.next = next;
        this.access = access;
    }

    /** Whether the session does what it has to do before the commit, which is a flush first. */
    boolean isEnding() {
        return ending;
    }

    @Override
    public void beforeTransactionCompletion() {
        ending = true;
        try {
            next.beforeTransactionCompletion();
        } finally {
            ending = false;
        }
    }

    @Override
    public JdbcResourceTransaction getResourceLocalTransaction() {
        return access.getResourceLocalTransaction();
    }

    @Override
    public boolean isActive() {
        return next.isActive();
    }

    @Override
    public void startTransactionBoundary() {
        next.startTransactionBoundary();
    }

    @Override
    public void afterTransactionBegin() {
        next.afterTransactionBegin();
    }

    @Override
    public void afterTransactionCompletion(boolean successful, boolean delayed) {
        next.afterTransactionCompletion(successful, delayed);
    }

    @Override
    public JdbcSessionOwner getJdbcSessionOwner() {
        return next.getJdbcSessionOwner();
    }

    @Override
    public void setTransactionTimeOut(int seconds) {
        next.setTransactionTimeOut(seconds);
    }

    @Override
    public void flushBeforeTransactionCompletion() {
        next.flushBeforeTransactionCompletion();
    }
}
