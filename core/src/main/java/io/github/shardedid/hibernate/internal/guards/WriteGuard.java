package io.github.shardedid.hibernate.internal.guards;

import io.github.shardedid.hibernate.internal.target.Home;
import io.github.shardedid.hibernate.internal.target.Sharding;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.event.spi.PreDeleteEvent;
import org.hibernate.event.spi.PreDeleteEventListener;
import org.hibernate.event.spi.PreInsertEvent;
import org.hibernate.event.spi.PreInsertEventListener;
import org.hibernate.event.spi.PreUpdateEvent;
import org.hibernate.event.spi.PreUpdateEventListener;
import org.hibernate.event.spi.PreUpsertEvent;
import org.hibernate.event.spi.PreUpsertEventListener;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/**
 * The last look at each row before its statement: the second line behind {@link FlushPlan}, and the only one for a
 * stateless session, which has no flush. A batch prepares its statement once, so the connection alone would not notice a
 * row of another shard.
 */
public final class WriteGuard
        implements PreInsertEventListener, PreUpdateEventListener, PreDeleteEventListener, PreUpsertEventListener {
    private final Sharding sharding;

    public WriteGuard(Sharding sharding) {
        this.sharding = sharding;
    }

    @Override
    public boolean onPreInsert(PreInsertEvent event) {
        return whole(event.getSession(), event.getPersister(), event.getId(), event.getState());
    }

    @Override
    public boolean onPreUpdate(PreUpdateEvent event) {
        Home home = check(event.getSession(), event.getPersister(), event.getId(), event.getState());
        if (home != null) {
            KeyGuard.checkUpdate(
                    sharding, event.getPersister(), home.shard(), event.getId(), event.getState(), event.getOldState());
        }
        return false;
    }

    @Override
    public boolean onPreDelete(PreDeleteEvent event) {
        check(event.getSession(), event.getPersister(), event.getId(), null);
        return false;
    }

    @Override
    public boolean onPreUpsert(PreUpsertEvent event) {
        return whole(event.getSession(), event.getPersister(), event.getId(), event.getState());
    }

    /** Always false, as for the others: true would veto the write silently. */
    private boolean whole(
            SharedSessionContractImplementor session,
            EntityPersister persister,
            @Nullable Object id,
            @Nullable Object[] state) {
        Home home = check(session, persister, id, state);
        if (home != null && id != null) {
            KeyGuard.check(sharding, persister, home.shard(), id, state);
        }
        return false;
    }

    /** Declares the write and looks at the row's associations; null if the row is in no shard, or in none yet. */
    private @Nullable Home check(
            SharedSessionContractImplementor session,
            EntityPersister persister,
            @Nullable Object id,
            @Nullable Object @Nullable [] state) {
        Home home = Home.of(sharding, persister.getEntityName(), id);
        if (home == null) {
            return null;
        }
        home.declareWrite(session, () -> Home.row(persister.getEntityName(), id));
        if (state != null && id != null && !home.isGlobal()) {
            AssociationGuard.check(sharding, persister, home.shard(), id, state, session);
        }
        return home.isGlobal() ? null : home;
    }
}
