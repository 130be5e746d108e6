package io.github.shardedid.hibernate.internal.persister;

import java.util.Set;
import org.hibernate.engine.jdbc.spi.JdbcCoordinator;
import org.hibernate.engine.spi.ActionQueue;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.Status;
import org.hibernate.event.internal.PostDeleteEventListenerStandardImpl;
import org.hibernate.event.internal.PostInsertEventListenerStandardImpl;
import org.hibernate.event.internal.PostUpdateEventListenerStandardImpl;
import org.hibernate.event.service.spi.EventListenerGroup;
import org.hibernate.event.spi.EventSource;
import org.hibernate.event.spi.FlushEventListener;
import org.hibernate.internal.EmptyInterceptor;
import org.hibernate.jpa.event.spi.CallbackType;
import org.hibernate.jpa.spi.JpaCompliance;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.persister.entity.mutation.InsertCoordinatorStandard;
import org.hibernate.persister.entity.mutation.MutationCoordinator;
import org.hibernate.persister.entity.mutation.UpdateCoordinatorStandard;
import org.hibernate.resource.jdbc.spi.JdbcSessionOwner;
import org.hibernate.resource.jdbc.spi.PhysicalConnectionHandlingMode;
import org.hibernate.resource.transaction.backend.jdbc.spi.JdbcResourceTransaction;
import org.hibernate.resource.transaction.backend.jdbc.spi.JdbcResourceTransactionAccess;
import org.hibernate.resource.transaction.internal.SynchronizationRegistryStandardImpl;
import org.hibernate.resource.transaction.spi.DdlTransactionIsolator;
import org.hibernate.resource.transaction.spi.IsolationDelegate;
import org.hibernate.resource.transaction.spi.SynchronizationRegistry;
import org.hibernate.resource.transaction.spi.TransactionCoordinator;
import org.hibernate.resource.transaction.spi.TransactionCoordinatorBuilder;
import org.hibernate.resource.transaction.spi.TransactionCoordinatorOwner;
import org.hibernate.resource.transaction.spi.TransactionObserver;
import org.hibernate.sql.model.MutationOperationGroup;
import org.hibernate.sql.model.PreparableMutationOperation;
import org.hibernate.tool.schema.internal.exec.JdbcContext;
import org.jspecify.annotations.Nullable;

/**
 * Finds the statement, or batch, that is all that a commit has to write, so that the connection can send the commit in the same round
 * trip. After such a write nothing can be refused any more, since it is committed. Whoever could refuse the transaction (listeners, callbacks,
 * interceptors, synchronizations, other sessions, caches, statements that read what the database has generated) is asked for, and
 * if there is anybody the write is an ordinary one.
 */
public final class SingleTripCommit {
    private SingleTripCommit() {}

    /** Those that write one row, and nothing else. Others, such as those of audited or temporal entities, write more. */
    private static final Set<Class<?>> COORDINATORS =
            Set.of(InsertCoordinatorStandard.class, UpdateCoordinatorStandard.class);

    /**
     * Returns the text of the statement if so many rows like that of an entry are all that the session has to write, by this statement or a
     * batch of it, and then only the commit is left; else null.
     */
    static @Nullable String text(EventSource session, EntityEntry entry, int rows) {
        EntityPersister persister = entry.getPersister();
        MutationCoordinator coordinator =
                !entry.isExistsInDatabase() ? persister.getInsertCoordinator() : persister.getUpdateCoordinator();
        MutationOperationGroup group = entry.getStatus() != Status.DELETED
                        && coordinator instanceof RoutedCoordinator routed
                        && COORDINATORS.contains(routed.target().getClass())
                        && isAll(session, entry, rows)
                ? coordinator.getStaticMutationOperationGroup()
                : null;
        return group != null
                        && group.getNumberOfOperations() == 1
                        && group.getSingleOperation() instanceof PreparableMutationOperation operation
                ? operation.getSqlString()
                : null;
    }

    private static boolean isAll(EventSource session, EntityEntry entry, int rows) {
        return session.getTransactionCoordinator() instanceof Coordinator coordinator
                && coordinator.isEndingAlone()
                && isOneStatement(session, rows)
                && isUnwatched(session)
                && isOneStatementEach(entry.getPersister(), entry)
                && !hasCallback(session.getFactory(), entry.getPersister());
    }

    /** Returns whether Hibernate writes all of it by one statement, or sends it as one batch. */
    private static boolean isOneStatement(EventSource session, int rows) {
        ActionQueue queue = session.getActionQueue();
        int inserts = queue.numberOfInsertions();
        int updates = queue.numberOfUpdates();
        int deletes = queue.numberOfDeletions();
        return !queue.hasBeforeTransactionActions()
                && !queue.hasUnresolvedEntityInsertActions()
                && inserts + updates + deletes == rows
                && Math.max(inserts, Math.max(updates, deletes)) == rows
                && (rows == 1 || rows <= session.getConfiguredJdbcBatchSize())
                && queue.numberOfCollectionCreations()
                                + queue.numberOfCollectionUpdates()
                                + queue.numberOfCollectionRemovals()
                        == 0;
    }

    private static boolean isUnwatched(EventSource session) {
        var groups = session.getFactory().getEventListenerGroups();
        return session.getInterceptor() == EmptyInterceptor.INSTANCE
                && isOnly(groups.eventListenerGroup_POST_INSERT, PostInsertEventListenerStandardImpl.class)
                && isOnly(groups.eventListenerGroup_POST_UPDATE, PostUpdateEventListenerStandardImpl.class)
                && isOnly(groups.eventListenerGroup_POST_DELETE, PostDeleteEventListenerStandardImpl.class)
                && isOnly(groups.eventListenerGroup_FLUSH, FlushEventListener.class);
    }

    private static <T> boolean isOnly(EventListenerGroup<T> group, Class<? extends T> type) {
        boolean[] only = {group.count() <= 1};
        group.fireEventOnEachListener(type, only, (listener, wanted, found) -> found[0] &= wanted.isInstance(listener));
        return only[0];
    }

    private static boolean isOneStatementEach(EntityPersister persister, EntityEntry entry) {
        boolean readsBack = entry.isExistsInDatabase()
                ? persister.hasUpdateGeneratedProperties()
                : persister.hasInsertGeneratedProperties()
                        || persister.getGenerator().generatedOnExecution();
        return !readsBack
                && persister.getTableSpan() == 1
                && !persister.canWriteToCache()
                && !persister.hasNaturalIdentifier()
                && !persister.isVersionPropertyGenerated();
    }

    private static boolean hasCallback(SessionFactoryImplementor factory, EntityPersister persister) {
        var callbacks = factory.getEventEngine().getCallbackRegistry();
        Class<?> type = persister.getMappedClass();
        return callbacks.hasRegisteredCallbacks(type, CallbackType.POST_PERSIST)
                || callbacks.hasRegisteredCallbacks(type, CallbackType.POST_UPDATE)
                || callbacks.hasRegisteredCallbacks(type, CallbackType.POST_REMOVE);
    }

    /** Makes coordinators of transactions that know when the flush of a commit runs. With JTA, they are Hibernate's own. */
    public record Builder(TransactionCoordinatorBuilder next) implements TransactionCoordinatorBuilder {
        @Override
        public TransactionCoordinator buildTransactionCoordinator(TransactionCoordinatorOwner owner, Options options) {
            if (next.isJta() || !(owner instanceof JdbcCoordinator coordinator)) {
                return next.buildTransactionCoordinator(owner, options);
            }
            Owner ending = new Owner(owner, coordinator);
            return new Coordinator(next.buildTransactionCoordinator(ending, options), ending, this);
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

    /**
     * Hibernate's coordinator of a session's transactions, which also knows whether anybody but the session takes part in a commit. For
     * one thread at a time.
     */
    private static final class Coordinator implements TransactionCoordinator {
        private final TransactionCoordinator next;
        private final Owner owner;
        private final TransactionCoordinatorBuilder builder;
        private boolean observed;

        Coordinator(TransactionCoordinator next, Owner owner, TransactionCoordinatorBuilder builder) {
            this.next = next;
            this.owner = owner;
            this.builder = builder;
        }

        /** Returns whether the session works for the commit, and neither an observer nor a synchronization was ever there that could fail it after. */
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

    /** A session's side of its transactions, which knows when the session does its last work before the commit. For one thread at a time. */
    private static final class Owner implements TransactionCoordinatorOwner, JdbcResourceTransactionAccess {
        private final TransactionCoordinatorOwner next;
        private final JdbcResourceTransactionAccess access;
        private boolean ending;

        Owner(TransactionCoordinatorOwner next, JdbcResourceTransactionAccess access) {
            this.next = next;
            this.access = access;
        }

        /** Returns whether the session does what it has to do before the commit, which is a flush first. */
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
}
