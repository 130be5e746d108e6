package io.github.shardedid.hibernate.internal.persister;

import io.github.shardedid.hibernate.internal.persister.RoutedPersisters.Methods;
import io.github.shardedid.hibernate.internal.persister.RoutedPersisters.Original;
import io.github.shardedid.hibernate.internal.persister.ShardBatchLoaderFactory.SubselectFetches;
import io.github.shardedid.hibernate.internal.routing.EntityRouting;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import java.lang.reflect.Method;
import java.util.Objects;
import java.util.function.Supplier;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.metamodel.spi.RuntimeModelCreationContext;
import org.hibernate.persister.collection.CollectionPersister;
import org.jspecify.annotations.Nullable;

/**
 * Routes a collection by the id of its owner.
 *
 * <p>The rows of a collection, in its own table or in that of its elements, are in the shard of the owner, since no
 * association crosses shards. So the owner's id decides for reads and writes. Which arguments it is in depends on
 * the method of Hibernate.
 */
final class RoutedCollection implements Methods {
    private final CollectionPersister persister;
    private final EntityRouting routing;

    /** Creates the routes of a collection; called by the constructor of a generated persister. */
    RoutedCollection(CollectionPersister persister, RuntimeModelCreationContext context) {
        this.persister = persister;
        this.routing = new EntityRouting(
                Sharding.require(context.getSessionFactory()),
                persister.getOwnerEntityPersister().getEntityName());
    }

    @Override
    public @Nullable Object execute(Method method, @Nullable Object[] arguments, Original target) {
        SharedSessionContractImplementor session = RoutedEntity.session(arguments);
        Supplier<@Nullable Object> work = () -> target.call(arguments);
        Object first = Objects.requireNonNull(arguments[0]);
        return switch (method.getName()) {
            case "initialize" -> {
                SubselectFetches.keepToOneShard(routing, persister, first, session);
                routing.initialize(first, session, () -> target.call(arguments));
                yield null;
            }
            case "getSize" -> routing.<@Nullable Object>read(first, 0, session, work);
            case "elementExists", "indexExists" -> routing.<@Nullable Object>read(first, false, session, work);
            case "getElementByIndex" -> routing.readOrNull(first, session, work);
            case "remove" -> routing.write(first, session, work);
            // The first one is the collection, the second one its owner's id.
            default -> routing.write(arguments[1], session, work);
        };
    }
}
