package io.github.shardedid.hibernate.internal.persister;

import io.github.shardedid.hibernate.internal.guards.ForeignJoins;
import io.github.shardedid.hibernate.internal.guards.RoutedHandler;
import io.github.shardedid.hibernate.internal.persister.RoutedPersisters.Methods;
import io.github.shardedid.hibernate.internal.persister.RoutedPersisters.Original;
import io.github.shardedid.hibernate.internal.routing.EntityRouting;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import jakarta.persistence.Timeout;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.hibernate.dialect.lock.LockingStrategy;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.loader.ast.spi.MultiIdLoadOptions;
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
 * Routes the rows of an entity by their ids.
 *
 * <p>Hibernate creates its coordinators after the persister, so they are wrapped where it gets them.
 *
 * <p>A method without arguments returns one of Hibernate's helpers, which is wrapped; a method with arguments reads
 * or writes, and is executed in the scope of the id among its arguments. Which methods these are is defined by
 * {@link RoutedPersisters}: a method that is missing there would read in the open scope, without an error.
 * Persisters see each load by an id; listeners do not see all of them.
 */
final class RoutedEntity implements Methods {
    private final EntityPersister persister;
    private final Sharding sharding;
    private final EntityRouting routing;
    /** Whether any association leads to other shards. */
    private final boolean foreign;
    /** The helpers by the methods that return them. Kept, since Hibernate, which never replaces its own, asks for them at each row. */
    private final Map<String, Object> helpers = new ConcurrentHashMap<>();

    RoutedEntity(EntityPersister persister, RuntimeModelCreationContext context) {
        this.persister = persister;
        this.sharding = Sharding.require(context.getSessionFactory());
        this.routing = new EntityRouting(sharding, persister.getEntityName());
        this.foreign = sharding.mappings().hasForeign();
    }

    @Override
    public @Nullable Object execute(Method method, @Nullable Object[] arguments, Original target) {
        return arguments.length == 0
                // Only getters of helpers have no arguments.
                ? helper(method.getName(), target)
                : method.getName().equals("generateLocker")
                        ? new Locker((LockingStrategy) Objects.requireNonNull(target.call(arguments)), routing)
                        : execute(method.getName(), arguments, target, session(arguments));
    }

    /** Returns the session among the arguments of a method. */
    static SharedSessionContractImplementor session(@Nullable Object[] arguments) {
        for (Object argument : arguments) {
            if (argument instanceof SharedSessionContractImplementor session) {
                return session;
            }
        }
        throw new IllegalArgumentException("The method has no session.");
    }

    /**
     * Executes a method that reads or writes rows. A read by an id that no shard can have generated finds
     * nothing, as a load of a missing row does; a write by it is an error.
     */
    private @Nullable Object execute(
            String method, @Nullable Object[] arguments, Original target, SharedSessionContractImplementor session) {
        Supplier<@Nullable Object> work = () -> target.call(arguments);
        Object first = Objects.requireNonNull(arguments[0]);
        return switch (method) {
            case "load" -> {
                checkGraph(session);
                yield routing.readOrNull(first, session, work);
            }
            case "multiLoad" -> {
                checkGraph(session);
                yield routing.readAll((Object[]) first, session, (MultiIdLoadOptions) arguments[2], part ->
                        (List<?>) Objects.requireNonNull(target.call(new Object[] {part, session, arguments[2]})));
            }
            case "loadByUniqueKey" -> readByUniqueKey((String) first, arguments[1], session, work);
            case "forceVersionIncrement" -> routing.write(first, session, work);
            case "processInsertGeneratedProperties", "processUpdateGeneratedProperties" -> {
                routing.at(first, session, () -> target.call(arguments));
                yield null;
            }
            case "initializeLazyProperty" -> readOf(Objects.requireNonNull(arguments[1]), session, work);
            case "initializeEnhancedEntityUsedAsProxy" -> readOf(first, session, work);
            case "createProxy" -> reference(first, session, Objects.requireNonNull(work.get()));
            // Of an id that no shard can have generated, it is any class.
            case "resolveConcreteProxyTypeForId" ->
                persister.isConcreteProxy()
                        ? routing.<@Nullable Object>read(first, persister, session, work)
                        : persister;
            default -> routing.readOrNull(first, session, work);
        };
    }

    /** Null before Hibernate has created its own, or if it has none. */
    private @Nullable Object helper(String method, Original target) {
        Object known = helpers.get(method);
        return known != null
                ? known
                : helpers.computeIfAbsent(method, name -> routed(target.call(new Object[0]), name));
    }

    private @Nullable Object routed(@Nullable Object target, String method) {
        return target == null
                ? null
                : switch (method) {
                    case "getInsertCoordinator" ->
                        new RoutedCoordinator.Insert((InsertCoordinator) target, routing, persister);
                    case "getUpdateCoordinator" ->
                        new RoutedCoordinator.Update((UpdateCoordinator) target, routing, persister, false);
                    case "getMergeCoordinator" ->
                        new RoutedCoordinator.Update((UpdateCoordinator) target, routing, persister, true);
                    case "getDeleteCoordinator" -> new RoutedCoordinator.Delete((DeleteCoordinator) target, routing);
                    case "getSqmMultiTableMutationStrategy" ->
                        RoutedHandler.changing((SqmMultiTableMutationStrategy) target);
                    default -> RoutedHandler.inserting((SqmMultiTableInsertStrategy) target);
                };
    }

    /**
     * Refuses an entity graph of the session that would join rows of other shards. Other loads by id have no
     * such joins: the boot model fetches these associations by a second select.
     */
    private void checkGraph(SharedSessionContractImplementor session) {
        if (foreign) {
            ForeignJoins.check(
                    session.getLoadQueryInfluencers().getEffectiveEntityGraph().getGraph());
        }
    }

    private @Nullable Object readOf(
            Object entity, SharedSessionContractImplementor session, Supplier<@Nullable Object> work) {
        return routing.readOrNull(persister.getIdentifier(entity, session), session, work);
    }

    /**
     * A unique key names a shard if it is an association: its value is the id of an entity of the same shard.
     * Hibernate uses it for the inverse side of a one-to-one association. By any other unique key, the open
     * scope decides.
     */
    @SuppressWarnings("removal") // getPropertyType: also finds the properties that Hibernate itself adds
    private @Nullable Object readByUniqueKey(
            String property,
            @Nullable Object key,
            SharedSessionContractImplementor session,
            Supplier<@Nullable Object> work) {
        if (key == null || !(persister.getPropertyType(property) instanceof EntityType target)) {
            return work.get();
        }
        return routing.isSharded()
                ? new EntityRouting(sharding, target.getAssociatedEntityName()).readOrNull(key, session, work)
                : routing.readOrNull(key, session, work);
    }

    /** Notes the shard of a new lazy reference, if the id does not name it. */
    private Object reference(Object id, @Nullable SharedSessionContractImplementor session, Object reference) {
        if (routing.own() != null) {
            routing.own().noteReference(session, id, reference);
        }
        return reference;
    }

    /** Locks rows where their ids say. */
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
}
