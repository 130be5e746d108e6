package io.github.shardedid.hibernate.internal.writing;

import io.github.shardedid.hibernate.internal.guards.AssociationGuard;
import io.github.shardedid.hibernate.internal.guards.KeyGuard;
import io.github.shardedid.hibernate.internal.target.Home;
import io.github.shardedid.hibernate.internal.target.Sharding;
import io.github.shardedid.routing.SecondWriteShardException;
import org.hibernate.collection.spi.PersistentCollection;
import org.hibernate.engine.spi.CollectionEntry;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.engine.spi.Status;
import org.hibernate.event.spi.EventSource;
import org.hibernate.event.spi.FlushEntityEvent;
import org.hibernate.persister.collection.CollectionPersister;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/**
 * The rows and collections that one flush is about to write, looked through before anything is sent: a second shard, an
 * association across shards and a shard key of another shard are refused here. Made, filled and used by one thread.
 */
public final class FlushPlan {
    private static final ThreadLocal<@Nullable FlushPlan> CURRENT = new ThreadLocal<>();

    /** The one that is being executed. */
    private static final ThreadLocal<@Nullable FlushPlan> EXECUTING = new ThreadLocal<>();

    private final Sharding sharding;
    private final EventSource session;
    private @Nullable Home home;
    private String firstEntity = "";
    private @Nullable Object firstId;

    private FlushPlan(Sharding sharding, EventSource session) {
        this.sharding = sharding;
        this.session = session;
    }

    /** Whether the session is flushing to this home, so that its transaction need not be told once more that it writes there. */
    @SuppressWarnings("ReferenceEquality") // a session is itself only
    public static boolean isExecuting(SharedSessionContractImplementor session, Home home) {
        FlushPlan plan = EXECUTING.get();
        return plan != null && plan.session == session && home.equals(plan.home);
    }

    /** Plans what Hibernate finds to be dirty while the given work runs, and what it has queued before. */
    static FlushPlan of(Sharding sharding, EventSource session, Runnable findDirty) {
        FlushPlan outer = CURRENT.get();
        FlushPlan plan = new FlushPlan(sharding, session);
        CURRENT.set(plan);
        try {
            findDirty.run();
            session.getPersistenceContextInternal()
                    .forEachCollectionEntry((collection, entry) -> plan.add(session, collection, entry), false);
            return plan;
        } finally {
            CURRENT.set(outer);
        }
    }

    /** Adds the entity of an event, if it is about to be written. */
    public static void addEntity(FlushEntityEvent event) {
        FlushPlan plan = CURRENT.get();
        if (plan != null) {
            plan.add(event);
        }
    }

    /** Executes what was planned, in the shard that it is for. */
    void execute(Runnable executions) {
        Home target = home;
        if (target == null) {
            executions.run();
            return;
        }
        target.declareWrite(session, () -> Home.row(firstEntity, firstId));
        FlushPlan outer = EXECUTING.get();
        EXECUTING.set(this);
        try {
            target.call(() -> {
                executions.run();
                return target;
            });
        } finally {
            EXECUTING.set(outer);
        }
    }

    private void add(FlushEntityEvent event) {
        EntityEntry entry = event.getEntityEntry();
        boolean delete = entry.getStatus() == Status.DELETED;
        boolean insert = !entry.isExistsInDatabase();
        boolean update = event.getDirtyProperties() != null || event.hasDirtyCollection();
        if (!(insert || update || delete)) {
            return;
        }
        EntityPersister persister = entry.getPersister();
        Home target = add(persister.getEntityName(), entry.getId());
        if (target != null && !target.isGlobal() && !delete) {
            check(event, persister, target.shard(), insert);
        }
    }

    private void check(FlushEntityEvent event, EntityPersister persister, int shard, boolean insert) {
        Object[] values = event.getPropertyValues();
        Object[] state = values != null ? values : persister.getValues(event.getEntity());
        Object id = event.getEntityEntry().getId();
        AssociationGuard.check(sharding, persister, shard, id, state, event.getSession());
        if (insert) {
            KeyGuard.check(sharding, persister, shard, id, state);
        } else {
            KeyGuard.checkDirty(sharding, persister, shard, id, state, event.getDirtyProperties());
        }
    }

    private void add(EventSource session, PersistentCollection<?> collection, CollectionEntry entry) {
        boolean remove = entry.isDoremove();
        if (!remove && !entry.isDorecreate() && !entry.isDoupdate()) {
            return;
        }
        CollectionPersister persister = remove ? entry.getLoadedPersister() : entry.getCurrentPersister();
        Object owner = remove ? entry.getLoadedKey() : entry.getCurrentKey();
        if (persister == null || owner == null) {
            return;
        }
        String entity = persister.getOwnerEntityPersister().getEntityName();
        // Of an inverse collection at most the map keys and positions are written, to the rows of its elements.
        Home target = persister.isInverse() ? Home.of(sharding, entity, owner) : add(entity, owner);
        if (target != null && !target.isGlobal() && !remove) {
            AssociationGuard.check(sharding, persister, target.shard(), owner, collection, session);
        }
    }

    /** Notes a row; null if it has no id yet. */
    private @Nullable Home add(String entityName, @Nullable Object id) {
        Home target = Home.of(sharding, entityName, id);
        if (target == null) {
            return null;
        }
        if (home == null) {
            home = target;
            firstEntity = entityName;
            firstId = id;
        } else if (!home.equals(target)) {
            throw new SecondWriteShardException("One flush would write to two "
                    + (home.isGlobal() || target.isGlobal() ? "places: " : "shards: ") + Home.row(firstEntity, firstId)
                    + " in "
                    + home + " and " + Home.row(entityName, id) + " in " + target
                    + ". A transaction writes to one shard, or to the global database: use one"
                    + " transaction for each. Nothing was sent.");
        }
        return target;
    }
}
