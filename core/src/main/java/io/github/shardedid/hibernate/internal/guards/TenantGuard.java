package io.github.shardedid.hibernate.internal.guards;

import io.github.shardedid.hibernate.SessionShardException;
import io.github.shardedid.hibernate.internal.routing.RowTargets;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import io.github.shardedid.routing.Target;
import java.util.Arrays;
import java.util.Objects;
import org.hibernate.StatelessSession;
import org.hibernate.context.spi.CurrentTenantIdentifierResolver;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.EventType;
import org.hibernate.event.spi.PreDeleteEvent;
import org.hibernate.event.spi.PreDeleteEventListener;
import org.hibernate.event.spi.PreUpdateEvent;
import org.hibernate.event.spi.PreUpdateEventListener;
import org.hibernate.event.spi.PreUpsertEvent;
import org.hibernate.event.spi.PreUpsertEventListener;
import org.hibernate.generator.internal.TenantIdGeneration;
import org.hibernate.persister.entity.EntityPersister;

/**
 * Refuses a write of a stateless session whose tenant was checked in another shard. Later releases of Hibernate 7.4 read the tenant of a row
 * with several tables, collections or a cache entry before they write it, in the open scope: another shard does not have the row, or has
 * one with the same number.
 *
 * <p>The check of Hibernate is one of safety: it prevents that one tenant changes rows of another. So a wrong
 * answer of it must not be taken for a right one, and the write is refused.
 */
public record TenantGuard(Sharding sharding)
        implements PreUpdateEventListener, PreDeleteEventListener, PreUpsertEventListener {
    /**
     * True if this release of Hibernate reads the tenant. It is known by a method, and not by the version,
     * because the check came with a minor release.
     */
    private static final boolean CHECKED_BY_HIBERNATE = Arrays.stream(EntityPersister.class.getMethods())
            .anyMatch(method -> method.getName().equals("getTenantIdLoader"));

    /** Registers a guard, if Hibernate checks tenants. It follows the one that notes the shards of rows. */
    public static void register(EventListenerRegistry listeners, Sharding sharding) {
        if (CHECKED_BY_HIBERNATE) {
            TenantGuard guard = new TenantGuard(sharding);
            listeners.appendListeners(EventType.PRE_UPDATE, guard);
            listeners.appendListeners(EventType.PRE_DELETE, guard);
            listeners.appendListeners(EventType.PRE_UPSERT, guard);
        }
    }

    @Override
    public boolean onPreUpdate(PreUpdateEvent event) {
        return check(event.getSession(), event.getPersister(), event.getId());
    }

    @Override
    public boolean onPreDelete(PreDeleteEvent event) {
        return check(event.getSession(), event.getPersister(), event.getId());
    }

    @Override
    public boolean onPreUpsert(PreUpsertEvent event) {
        return check(event.getSession(), event.getPersister(), event.getId());
    }

    /** Always returns false: true would silently veto the write. */
    private boolean check(SharedSessionContractImplementor session, EntityPersister persister, Object id) {
        if (session instanceof StatelessSession && isChecked(session, persister)) {
            Target row = RowTargets.ofWrite(sharding, session, persister.getEntityName(), id);
            if (row != null && !Objects.equals(row, sharding.target(session))) {
                throw new SessionShardException(
                        RowTargets.row(persister.getEntityName(), id) + " is in " + row
                                + ", but Hibernate has looked for its tenant in the open scope ("
                                + sharding.target(session)
                                + "). A stateless session writes an entity with @TenantId and several tables, collections or a cache"
                                + " in the scope of its row only: call this in ShardContext.run(shard, …). The row was not written.");
            }
        }
        return false;
    }

    /**
     * Returns whether Hibernate reads the tenant of a row before it writes the row. For the root tenant, which may
     * write rows of all tenants, it does so only if the entity is cached.
     */
    private static boolean isChecked(SharedSessionContractImplementor session, EntityPersister persister) {
        if (Arrays.stream(persister.getGenerators()).noneMatch(TenantIdGeneration.class::isInstance)) {
            return false;
        }
        CurrentTenantIdentifierResolver<Object> tenants = session.getFactory().getCurrentTenantIdentifierResolver();
        boolean root = tenants != null && tenants.isRoot(session.getTenantIdentifierValue());
        return root ? persister.canWriteToCache() : persister.hasMultipleTables() || persister.hasOwnedCollections();
    }
}
