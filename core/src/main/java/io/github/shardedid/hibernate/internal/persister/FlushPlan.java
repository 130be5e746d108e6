package io.github.shardedid.hibernate.internal.persister;

import io.github.shardedid.hibernate.internal.guards.RowGuard;
import io.github.shardedid.hibernate.internal.routing.EntityRouting;
import io.github.shardedid.hibernate.internal.routing.RowTargets;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import io.github.shardedid.hibernate.internal.unique.Claim;
import io.github.shardedid.routing.RoutedScope;
import io.github.shardedid.routing.SecondWriteShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.RoutingControl;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.hibernate.collection.spi.PersistentCollection;
import org.hibernate.engine.spi.CollectionEntry;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.PersistenceContext;
import org.hibernate.engine.spi.Status;
import org.hibernate.event.internal.DefaultAutoFlushEventListener;
import org.hibernate.event.internal.DefaultFlushEventListener;
import org.hibernate.event.spi.AutoFlushEvent;
import org.hibernate.event.spi.EventSource;
import org.hibernate.event.spi.FlushEntityEvent;
import org.hibernate.event.spi.FlushEntityEventListener;
import org.hibernate.event.spi.FlushEvent;
import org.hibernate.persister.collection.CollectionPersister;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/**
 * The rows and collections that one flush is about to write:
 *
 * <ol>
 *   <li>Hibernate looks for dirty entities; each is added by a listener of {@code FLUSH_ENTITY}, which is called for deleted ones, too.
 *   <li>The collections are added, of which Hibernate knows only then what they are to become.
 *   <li>A second shard, an association across shards, and a shard key of another shard are refused: nothing has been sent yet.
 *   <li>Values that are unique over all shards are claimed, of all rows at once: nothing of the rows has been sent yet.
 *   <li>The statements are executed in the scope of the one target, which is declared to the connection once for all rows. So neither a
 *       coordinator nor the connection has to declare it again for each row.
 * </ol>
 *
 * <p>Hibernate calls the two halves of a flush one after the other, with nothing that passes from one to the other but the thread. A plan ends
 * with its flush, also if nothing is to be written before a query. A flush can begin within another one, by a query in a listener, and leaves
 * the outer plan as it is. Each plan is used by one thread.
 *
 * <p>Without a plan, the second shard would be refused when its first statement is prepared, after those of the
 * first shard have been sent: the application would see a failure that depends on the order of its rows, and a
 * batch that has begun. The plan sees all rows first.
 */
public final class FlushPlan {
    /** A thread flushes one session at a time, but a listener may flush another one within. Null stays, since removing it would cost each flush. */
    private static final ThreadLocal<@Nullable FlushPlan> CURRENT = new ThreadLocal<>();

    private final Sharding sharding;
    private final EventSource session;
    private Target.@Nullable Single target;
    /** The first row as messages name it. */
    private Supplier<String> first = () -> "";

    /**
     * The first row; null if there are others of another entity. Only rows of one entity can be one statement or
     * batch, with which the transaction may be committed in the same round trip.
     */
    private @Nullable EntityEntry firstEntry;

    /** The number of rows and collections that the flush writes. */
    private int rows;

    /** The values of the rows that are unique over all shards. */
    private final List<Claim> claims = new ArrayList<>(0);

    private FlushPlan(Sharding sharding, EventSource session) {
        this.sharding = sharding;
        this.session = session;
    }

    /** Flushes. A plan that is made within ends with the call, also if it fails. */
    private static void within(Runnable flush) {
        FlushPlan before = CURRENT.get();
        try {
            flush.run();
        } finally {
            CURRENT.set(before);
        }
    }

    /**
     * Plans what Hibernate finds dirty while the given work runs, and what it has queued before.
     *
     * <p>If the work fails, Hibernate executes nothing.
     */
    private void prepare(Runnable findDirty) {
        CURRENT.set(this);
        findDirty.run();
        session.getPersistenceContextInternal().forEachCollectionEntry(this::add, false);
    }

    /** The plan of the flush that a session is in; null if it has none. */
    @SuppressWarnings("ReferenceEquality") // a session equals only itself
    private static @Nullable FlushPlan of(EventSource session) {
        FlushPlan plan = CURRENT.get();
        return plan != null && plan.session == session ? plan : null;
    }

    /** Executes the plan of a session in the scope of its target. It ends before, so that a flush within, by a listener, does not find it. */
    private static void execute(EventSource session, Runnable executions) {
        FlushPlan plan = of(session);
        CURRENT.set(null);
        if (plan == null || plan.target == null) {
            executions.run();
            return;
        }
        if (!plan.claims.isEmpty()) {
            Sharding.connectionOf(session).declareWrite(plan.target, plan.first);
            int shard = ((Target.Shard) plan.target).number();
            RowClaims.execute(plan.sharding, session, shard, plan.claims, () -> plan.execute(executions));
        } else {
            plan.execute(executions);
        }
    }

    /**
     * Executes the flush in the scope of its target, declared once.
     *
     * <p>The announcement of the last write ends with the flush, also if it fails: what the application does
     * afterwards must not commit.
     */
    private void execute(Runnable executions) {
        String text = firstEntry == null ? null : LastWrite.text(session, firstEntry, rows);
        Target.Single one = Objects.requireNonNull(target);
        RoutingControl connection = Sharding.connectionOf(session);
        connection.declareWrite(one, first);
        connection.announceLastWrite(text == null ? 0 : rows, text == null ? "" : text);
        try (ShardContext.Scope scope = RoutedScope.open(one)) {
            executions.run();
        } finally {
            connection.announceLastWrite(0, "");
        }
    }

    /**
     * Adds an entity if it is to be inserted, updated or deleted. One that is only in the session, and
     * unchanged, may be of any shard.
     */
    private void add(FlushEntityEvent event) {
        EntityEntry entry = event.getEntityEntry();
        boolean delete = entry.getStatus() == Status.DELETED;
        boolean insert = !entry.isExistsInDatabase();
        boolean update = event.getDirtyProperties() != null || event.hasDirtyCollection();
        if (!(insert || update || delete)) {
            return;
        }
        EntityPersister persister = entry.getPersister();
        if (rows == 0) {
            firstEntry = entry;
        } else if (firstEntry != null && !firstEntry.getPersister().equals(persister)) {
            firstEntry = null;
        }
        EntityRouting routing = routing(persister);
        Target.Single row = add(routing, entry.getId());
        if (row instanceof Target.Shard one && !delete) {
            check(event, routing, one.number(), insert);
        }
    }

    /** Checks a row before anything is sent. Its coordinator checks it again, since listeners and interceptors may change its values. */
    private void check(FlushEntityEvent event, EntityRouting routing, int shard, boolean insert) {
        EntityEntry entry = event.getEntityEntry();
        EntityPersister persister = entry.getPersister();
        Object[] values = event.getPropertyValues();
        Object[] state = values != null ? values : persister.getValues(event.getEntity());
        RowGuard guard = new RowGuard(routing, entry.getId(), shard, session);
        if (insert) {
            guard.checkWhole(persister, state, event.getEntity());
        } else {
            guard.checkUpdate(persister, state, entry.getLoadedState());
        }
        if (routing.claims()) {
            int[] dirty = insert ? null : event.getDirtyProperties();
            claims.addAll(sharding.uniqueKeys().claims(persister, entry.getId(), state, dirty, session));
        }
    }

    /**
     * Adds a collection if its rows are to be written. Its rows are in the shard of its owner, whose id is that
     * before the change if it is removed.
     */
    private void add(PersistentCollection<?> collection, CollectionEntry entry) {
        boolean remove = entry.isDoremove();
        if (!remove && !entry.isDorecreate() && !entry.isDoupdate()) {
            return;
        }
        CollectionPersister persister = remove ? entry.getLoadedPersister() : entry.getCurrentPersister();
        Object owner = remove ? entry.getLoadedKey() : entry.getCurrentKey();
        if (persister == null || owner == null) {
            return;
        }
        EntityRouting routing = routing(persister.getOwnerEntityPersister());
        // Of an inverse collection at most the map keys and positions are written, to the rows of its elements.
        Target.Single row = persister.isInverse() ? routing.ofWrite(owner, session) : add(routing, owner);
        if (row instanceof Target.Shard one && !remove) {
            new RowGuard(routing, owner, one.number(), session).check(persister, collection);
        }
    }

    /**
     * Adds a row; null if it has no id yet. Its coordinator chooses the shard, and declares it, when the row is
     * inserted.
     */
    private Target.@Nullable Single add(EntityRouting routing, @Nullable Object id) {
        rows++;
        Target.Single row = routing.ofWrite(id, session);
        if (row == null) {
            return null;
        }
        String entityName = routing.entityName();
        if (target == null) {
            target = row;
            first = () -> RowTargets.row(entityName, id);
        } else if (!target.equals(row)) {
            throw new SecondWriteShardException("One flush would write to two targets: " + first.get() + " (" + target
                    + ") and " + RowTargets.row(entityName, id) + " (" + row
                    + "). A transaction writes to one shard, or to the global database: use one transaction for each."
                    + " Nothing was sent.");
        }
        return row;
    }

    private EntityRouting routing(EntityPersister entity) {
        return entity.getInsertCoordinator() instanceof RoutedCoordinator routed
                ? routed.routing()
                : new EntityRouting(sharding, entity.getEntityName());
    }

    /**
     * Hibernate's flush, planned before it is executed. Hibernate has two classes for its flushes, of which
     * neither extends the other, so that each has a subclass here.
     */
    public static final class OnFlush extends DefaultFlushEventListener implements FlushEntityEventListener {
        private final Sharding sharding;

        public OnFlush(Sharding sharding) {
            this.sharding = sharding;
        }

        @Override
        public void onFlush(FlushEvent event) {
            within(() -> super.onFlush(event));
        }

        @Override
        protected void flushEverythingToExecutions(FlushEvent event, PersistenceContext context, EventSource session) {
            new FlushPlan(sharding, session).prepare(() -> super.flushEverythingToExecutions(event, context, session));
        }

        @Override
        protected void performExecutions(EventSource session) {
            execute(session, () -> super.performExecutions(session));
        }

        /** Adds an entity to the plan of any flush, if it is about to be written. Does nothing outside of a flush that is being planned. */
        @Override
        public void onFlushEntity(FlushEntityEvent event) {
            FlushPlan plan = of(event.getSession());
            if (plan != null) {
                plan.add(event);
            }
        }
    }

    /** The flush before a query, planned before it is executed. */
    public static final class OnAutoFlush extends DefaultAutoFlushEventListener {
        private final Sharding sharding;

        public OnAutoFlush(Sharding sharding) {
            this.sharding = sharding;
        }

        @Override
        public void onAutoFlush(AutoFlushEvent event) {
            within(() -> super.onAutoFlush(event));
        }

        @Override
        protected void flushEverythingToExecutions(FlushEvent event, PersistenceContext context, EventSource session) {
            new FlushPlan(sharding, session).prepare(() -> super.flushEverythingToExecutions(event, context, session));
        }

        @Override
        protected void performExecutions(EventSource session) {
            execute(session, () -> super.performExecutions(session));
        }
    }
}
