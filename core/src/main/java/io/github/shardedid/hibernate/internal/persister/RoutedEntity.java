package io.github.shardedid.hibernate.internal.persister;

import io.github.shardedid.hibernate.internal.guards.ForeignJoins;
import io.github.shardedid.hibernate.internal.guards.RoutedHandler;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.routing.EntityRouting;
import io.github.shardedid.hibernate.internal.routing.RowShards;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import jakarta.persistence.Timeout;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.hibernate.dialect.lock.LockingStrategy;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.loader.ast.spi.MultiIdLoadOptions;
import org.hibernate.loader.ast.spi.MultiNaturalIdLoader;
import org.hibernate.loader.ast.spi.NaturalIdLoader;
import org.hibernate.metamodel.mapping.EntityMappingType;
import org.hibernate.metamodel.spi.RuntimeModelCreationContext;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.persister.entity.mutation.DeleteCoordinator;
import org.hibernate.persister.entity.mutation.InsertCoordinator;
import org.hibernate.persister.entity.mutation.UpdateCoordinator;
import org.hibernate.query.sqm.mutation.spi.SqmMultiTableInsertStrategy;
import org.hibernate.query.sqm.mutation.spi.SqmMultiTableMutationStrategy;
import org.hibernate.type.EntityType;
import org.jspecify.annotations.Nullable;

/**
 * The routing that the three entity persisters share. Each overrides the same methods of another class of Hibernate, and passes its
 * super method to this one.
 *
 * <p>Hibernate creates its coordinators after the persister, so they are wrapped where it gets them.
 */
final class RoutedEntity {
    private final EntityPersister persister;
    private final Sharding sharding;
    private final EntityRouting routing;
    /** Kept, since Hibernate asks for it at each row; of two threads that make one, either will do. */
    private volatile RoutedCoordinator.@Nullable Insert insert;

    RoutedEntity(EntityPersister persister, RuntimeModelCreationContext context) {
        this.persister = persister;
        this.sharding = Sharding.require(context.getSessionFactory());
        this.routing = new EntityRouting(sharding, persister.getEntityName());
    }

    <T> @Nullable T read(Object id, SharedSessionContractImplementor session, Supplier<@Nullable T> work) {
        return routing.readOrNull(id, session, work);
    }

    /** Loads the row, unless the session's entity graph would join rows of other shards. */
    <T> @Nullable T load(
            Object id, @Nullable Object entity, SharedSessionContractImplementor session, Supplier<@Nullable T> work) {
        checkGraph(session);
        return routing.readOf(entity, id, session, work);
    }

    /** Refuses an entity graph of the session that would join rows of other shards. */
    void checkGraph(SharedSessionContractImplementor session) {
        if (sharding.mappings().hasForeign()) {
            ForeignJoins.check(
                    session.getLoadQueryInfluencers().getEffectiveEntityGraph().getGraph());
        }
    }

    <T> @Nullable T readOf(Object entity, SharedSessionContractImplementor session, Supplier<@Nullable T> work) {
        return routing.readOf(entity, persister.getIdentifier(entity, session), session, work);
    }

    /** A unique key names a shard if it is an association: its value is the id of an entity of the same shard. */
    @SuppressWarnings("removal") // getPropertyType: also finds the properties that Hibernate itself adds
    <T> @Nullable T readByUniqueKey(
            String property,
            @Nullable Object key,
            SharedSessionContractImplementor session,
            Supplier<@Nullable T> work) {
        if (key == null || !(persister.getPropertyType(property) instanceof EntityType target)) {
            return work.get();
        }
        return routing.isSharded()
                ? new EntityRouting(routing.sharding(), target.getAssociatedEntityName()).readOrNull(key, session, work)
                : routing.readOrNull(key, session, work);
    }

    List<?> readAll(
            Object[] ids,
            SharedSessionContractImplementor session,
            MultiIdLoadOptions options,
            Function<Object[], List<?>> load) {
        checkGraph(session);
        return routing.readAll(ids, session, options, load);
    }

    /** Locks rows where their ids say. Hibernate keeps what locks in a mode. */
    LockingStrategy locker(LockingStrategy target) {
        return new Locker(target, routing);
    }

    private record Locker(LockingStrategy target, EntityRouting routing) implements LockingStrategy {
        @Override
        public void lock(
                Object id,
                @Nullable Object version,
                Object entity,
                Timeout timeout,
                SharedSessionContractImplementor session) {
            routing.at(id, session, () -> target.lock(id, version, entity, timeout, session));
        }
    }

    void at(Object id, SharedSessionContractImplementor session, Runnable work) {
        routing.at(id, session, work);
    }

    NaturalIdLoader<?> natural(NaturalIdLoader<?> target) {
        return new NaturalIds.Loader<>(target, new NaturalIds(routing, this, persister));
    }

    MultiNaturalIdLoader<?> natural(MultiNaturalIdLoader<?> target) {
        return new NaturalIds.MultiLoader<>(target, new NaturalIds(routing, this, persister));
    }

    /** Reads of which class the row is that a lazy reference is created for; an id that no shard can have generated is of any. */
    EntityMappingType concreteType(
            Object id, SharedSessionContractImplementor session, Supplier<EntityMappingType> work) {
        return routing.read(id, persister, session, work);
    }

    /** Notes the shard of a new lazy reference, if the id does not name it. */
    Object reference(Object id, @Nullable SharedSessionContractImplementor session, Object reference) {
        ShardedMapping own = routing.own();
        if (own != null) {
            new RowShards(sharding).noteReference(session, own, id, reference);
        }
        return reference;
    }

    <T> T write(Object id, SharedSessionContractImplementor session, Supplier<T> work) {
        return routing.write(id, session, work);
    }

    @Nullable
    InsertCoordinator insert(@Nullable InsertCoordinator target) {
        RoutedCoordinator.Insert known = insert;
        if (target != null && (known == null || known.target() != target)) {
            known = new RoutedCoordinator.Insert(target, routing, persister);
            insert = known;
        }
        return target == null ? null : known;
    }

    @Nullable
    UpdateCoordinator update(@Nullable UpdateCoordinator target) {
        return target == null ? null : new RoutedCoordinator.Update(target, routing, persister, false);
    }

    @Nullable
    UpdateCoordinator merge(@Nullable UpdateCoordinator target) {
        return target == null ? null : new RoutedCoordinator.Update(target, routing, persister, true);
    }

    @Nullable
    DeleteCoordinator delete(@Nullable DeleteCoordinator target) {
        return target == null ? null : new RoutedCoordinator.Delete(target, routing);
    }

    @Nullable
    SqmMultiTableMutationStrategy guard(@Nullable SqmMultiTableMutationStrategy target) {
        return target == null ? null : new RoutedHandler.Mutations(target);
    }

    @Nullable
    SqmMultiTableInsertStrategy guardInserts(@Nullable SqmMultiTableInsertStrategy target) {
        return target == null ? null : new RoutedHandler.Inserts(target);
    }
}
