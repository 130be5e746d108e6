package io.github.shardedid.hibernate.internal.ending;

import java.util.Set;
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
import org.hibernate.persister.entity.mutation.DeleteCoordinatorSoft;
import org.hibernate.persister.entity.mutation.DeleteCoordinatorStandard;
import org.hibernate.persister.entity.mutation.InsertCoordinatorStandard;
import org.hibernate.persister.entity.mutation.MutationCoordinator;
import org.hibernate.persister.entity.mutation.UpdateCoordinatorStandard;
import org.hibernate.sql.model.MutationOperationGroup;
import org.hibernate.sql.model.PreparableMutationOperation;
import org.jspecify.annotations.Nullable;

/**
 * The only statement, or batch, of a commit's flush. Whoever could still refuse the transaction after it (listeners, callbacks,
 * interceptors, synchronizations, other sessions, caches, statements that read what the database has generated) is asked for, and
 * if there is anybody the write is an ordinary one.
 */
public final class LoneWrite {
    private LoneWrite() {}

    /** What writes one row, and nothing else. Others, such as those of audited or temporal entities, write more. */
    private static final Set<Class<?>> COORDINATORS = Set.of(
            InsertCoordinatorStandard.class,
            UpdateCoordinatorStandard.class,
            DeleteCoordinatorStandard.class,
            DeleteCoordinatorSoft.class);

    /**
     * The text of the statement if so many rows like that of an entry are all that the session has to write, by this statement or a
     * batch of it, and then only the commit is left; else null.
     */
    public static @Nullable String text(EventSource session, EntityEntry entry, int rows) {
        return isAll(session, entry, rows) ? text(entry) : null;
    }

    private static @Nullable String text(EntityEntry entry) {
        EntityPersister persister = entry.getPersister();
        MutationCoordinator routed = !entry.isExistsInDatabase()
                ? persister.getInsertCoordinator()
                : entry.getStatus() == Status.DELETED
                        ? persister.getDeleteCoordinator()
                        : persister.getUpdateCoordinator();
        MutationCoordinator coordinator = routed instanceof WrappingCoordinator wrapping ? wrapping.target() : routed;
        MutationOperationGroup group =
                COORDINATORS.contains(coordinator.getClass()) ? coordinator.getStaticMutationOperationGroup() : null;
        return group != null
                        && group.getNumberOfOperations() == 1
                        && group.getSingleOperation() instanceof PreparableMutationOperation operation
                ? operation.getSqlString()
                : null;
    }

    private static boolean isAll(EventSource session, EntityEntry entry, int rows) {
        return session.getTransactionCoordinator() instanceof EndingCoordinator coordinator
                && coordinator.isEndingAlone()
                && isOneStatement(session, rows)
                && isUnwatched(session)
                && isOneStatementEach(entry.getPersister(), entry)
                && !hasCallback(session.getFactory(), entry.getPersister());
    }

    /** Whether Hibernate writes all of it by one statement, or sends it as one batch. */
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
        boolean deleted = entry.getStatus() == Status.DELETED;
        boolean readsBack = entry.isExistsInDatabase()
                ? !deleted && persister.hasUpdateGeneratedProperties()
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
}
