package io.github.shardedid.hibernate.internal.persister;

import io.github.shardedid.hibernate.internal.routing.Overridden;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
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
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.persister.entity.mutation.InsertCoordinatorStandard;
import org.hibernate.persister.entity.mutation.MutationCoordinator;
import org.hibernate.persister.entity.mutation.UpdateCoordinatorStandard;
import org.hibernate.resource.transaction.backend.jdbc.internal.JdbcResourceLocalTransactionCoordinatorBuilderImpl;
import org.hibernate.resource.transaction.internal.SynchronizationRegistryStandardImpl;
import org.hibernate.resource.transaction.spi.TransactionCoordinator;
import org.hibernate.resource.transaction.spi.TransactionCoordinatorBuilder;
import org.hibernate.resource.transaction.spi.TransactionCoordinatorOwner;
import org.hibernate.sql.model.MutationOperationGroup;
import org.hibernate.sql.model.PreparableMutationOperation;
import org.jspecify.annotations.Nullable;

/**
 * Finds the statement, or batch, that is all that a commit has to write, so that the connection can send the commit in the same round
 * trip. After such a write nothing can be refused any more, since it is committed. Whoever could refuse the transaction (listeners, callbacks,
 * interceptors, synchronizations, other sessions, caches, statements that read what the database has generated) is asked for, and
 * if there is anybody the write is an ordinary one.
 *
 * <p>The conditions are those that are known to be harmless, and anything else is taken for harmful: with an
 * extension of Hibernate that this class does not know, a commit takes its own round trip, and can still be
 * refused. In detail:
 *
 * <ol>
 *   <li>Hibernate flushes because the transaction is about to commit, nobody has joined the transaction, and no
 *       synchronization is registered.
 *   <li>The queue of the session has the planned rows and nothing else, as inserts, updates or deletes alone.
 *   <li>No interceptor, listener or callback of the application is called after the write.
 *   <li>The entity has one table, no cache, no natural id, and no value that Hibernate reads back.
 *   <li>The statement is known before it is executed: it is the same for all rows of the entity.
 * </ol>
 *
 * <p>Then the text is announced to the connection, which sends the commit with exactly that text, and in no
 * other case.
 */
public final class LastWrite extends JdbcResourceLocalTransactionCoordinatorBuilderImpl {
    private LastWrite() {}

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

    /**
     * Returns whether no interceptor is set, and Hibernate's own listeners are the only ones that are called
     * after a write.
     */
    private static boolean isUnwatched(EventSource session) {
        var groups = session.getFactory().getEventListenerGroups();
        return session.getInterceptor() == EmptyInterceptor.INSTANCE
                && isOnly(groups.eventListenerGroup_POST_INSERT, PostInsertEventListenerStandardImpl.class)
                && isOnly(groups.eventListenerGroup_POST_UPDATE, PostUpdateEventListenerStandardImpl.class)
                && isOnly(groups.eventListenerGroup_POST_DELETE, PostDeleteEventListenerStandardImpl.class)
                && isOnly(groups.eventListenerGroup_FLUSH, FlushEventListener.class);
    }

    /**
     * Returns whether a group has at most one listener, which is of a type.
     */
    private static <T> boolean isOnly(EventListenerGroup<T> group, Class<? extends T> type) {
        boolean[] only = {group.count() <= 1};
        group.fireEventOnEachListener(type, only, (listener, wanted, found) -> found[0] &= wanted.isInstance(listener));
        return only[0];
    }

    /** Returns whether a row is one statement, after which nothing is left to read, or to put into a cache. */
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

    /**
     * Returns whether a callback follows the write. One that comes before it, such as {@code @PrePersist}, can
     * still fail it.
     */
    private static boolean hasCallback(SessionFactoryImplementor factory, EntityPersister persister) {
        var callbacks = factory.getEventEngine().getCallbackRegistry();
        Class<?> type = persister.getMappedClass();
        return callbacks.hasRegisteredCallbacks(type, CallbackType.POST_PERSIST)
                || callbacks.hasRegisteredCallbacks(type, CallbackType.POST_UPDATE)
                || callbacks.hasRegisteredCallbacks(type, CallbackType.POST_REMOVE);
    }

    /** Returns the builder of coordinators that know when the flush of a commit runs; the given one if it is not Hibernate's own for JDBC, as with JTA. */
    public static TransactionCoordinatorBuilder builder(TransactionCoordinatorBuilder standard) {
        return standard.getClass() == JdbcResourceLocalTransactionCoordinatorBuilderImpl.class
                ? new LastWrite()
                : standard;
    }

    /** Hibernate's coordinator of a session's transactions, which also knows whether anybody but the session takes part in a commit. */
    public interface Coordinator extends TransactionCoordinator {
        /** Returns whether the session works for the commit, and neither an observer nor a synchronization was ever there that could fail it after. */
        boolean isEndingAlone();
    }

    /**
     * Makes a coordinator. Hibernate notifies the owner of a coordinator, which is the session's JDBC coordinator, before it commits. So
     * the owner is replaced by one that remembers that.
     */
    @Override
    public TransactionCoordinator buildTransactionCoordinator(TransactionCoordinatorOwner owner, Options options) {
        // The session does what it has to do before the commit, which is a flush first.
        AtomicBoolean ending = new AtomicBoolean();
        // There was an observer, such as a session that shares this transaction, and flushes after its owner.
        AtomicBoolean observed = new AtomicBoolean();
        JdbcCoordinator watched = Overridden.of(
                JdbcCoordinator.class,
                owner,
                (method, arguments, call) -> {
                    ending.set(true);
                    try {
                        return call.on(owner);
                    } finally {
                        ending.set(false);
                    }
                },
                "beforeTransactionCompletion");
        TransactionCoordinator standard = super.buildTransactionCoordinator(watched, options);
        return Overridden.of(
                Coordinator.class,
                standard,
                (method, arguments, call) -> {
                    if (method.getName().equals("isEndingAlone")) {
                        return ending.get() && !observed.get() && hasNoSynchronization(standard);
                    }
                    observed.set(true);
                    return call.on(standard);
                },
                "addObserver",
                "isEndingAlone");
    }

    private static boolean hasNoSynchronization(TransactionCoordinator coordinator) {
        return coordinator.getLocalSynchronizations() instanceof SynchronizationRegistryStandardImpl registry
                && registry.getNumberOfRegisteredSynchronizations() == 0;
    }
}
