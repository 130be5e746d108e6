package io.github.shardedid.hibernate.internal.target;

import io.github.shardedid.hibernate.internal.mapping.ShardKeyAttribute;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.ShardKeyException;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.ShardContext;
import java.util.Objects;
import java.util.OptionalInt;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.EventType;
import org.hibernate.generator.internal.TenantIdGeneration;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.proxy.HibernateProxy;
import org.jspecify.annotations.Nullable;

/** Chooses the shard of a new row: by its shard key, else by the open scope, else by the placement. */
public final class ShardChoice {
    private ShardChoice() {}

    public static int shardOfNew(Sharding sharding, @Nullable Object entity, SharedSessionContractImplementor session) {
        if (entity == null) {
            // HQL's insert … values has no entity, so only a scope can say where the row goes.
            return ShardContext.current()
                    .orElseThrow(() -> new NoShardException("An HQL insert has no entity whose shard key could tell its"
                            + " shard. Run it in ShardContext.run(shard, …)."));
        }
        OptionalInt byKey = byKey(sharding, entity, session);
        if (byKey.isPresent()) {
            return byKey.getAsInt();
        }
        OptionalInt scope = ShardContext.current();
        return scope.isPresent()
                ? scope.getAsInt()
                : sharding.placement().shardFor(entity, sharding.cluster().map().get());
    }

    private static OptionalInt byKey(Sharding sharding, Object entity, SharedSessionContractImplementor session) {
        EntityPersister persister = session.getEntityPersister(null, entity);
        ShardedMapping mapping = sharding.mappings().find(persister.getEntityName());
        ShardKeyAttribute key = mapping == null ? null : mapping.key();
        if (key == null) {
            return OptionalInt.empty();
        }
        Object value = value(persister, key, entity, session);
        if (key.isUnset(value)) {
            if (key.begins()) {
                return OptionalInt.empty();
            }
            throw new ShardKeyException(
                    "The shard of a new " + persister.getEntityName() + " cannot be told: its shard key " + key + " is "
                            + value + ". Set it before the entity is saved; it decides where the row lives.");
        }
        Objects.requireNonNull(value);
        return OptionalInt.of(
                key.kind() == ShardKeyAttribute.Kind.PARENT
                        ? ofParent(sharding, key, value, session)
                        : key.rule(sharding.cluster()).shardOf(value));
    }

    /** What the attribute holds; of a tenant's id, what Hibernate is about to set. */
    private static @Nullable Object value(
            EntityPersister persister, ShardKeyAttribute key, Object entity, SharedSessionContractImplementor session) {
        Object value = RowState.value(persister, entity, key.name());
        return value == null
                        && key.name().indexOf('.') < 0
                        && persister.getGenerators()[RowState.index(persister, key.name())]
                                instanceof TenantIdGeneration tenant
                ? tenant.generate(session, entity, null, EventType.INSERT)
                : value;
    }

    private static int ofParent(
            Sharding sharding, ShardKeyAttribute key, Object parent, SharedSessionContractImplementor session) {
        Object id = idOf(key.target(), parent, session);
        if (id instanceof Number number && number.longValue() != 0) {
            return sharding.cluster().shardOf(number.longValue());
        }
        // A parent that is still to be inserted by cascade: its own shard key tells where it will live.
        OptionalInt future = byKey(sharding, parent, session);
        if (future.isEmpty()) {
            throw new ShardKeyException(
                    "The shard of a new " + key.entity() + " cannot be told: the parent in its shard key " + key
                            + " has no id yet. Save the parent first; its id decides where the row lives.");
        }
        return future.getAsInt();
    }

    /** The id of an entity or proxy, without loading it; null if it has none yet. */
    public static @Nullable Object idOf(@Nullable String entityName, Object entity, SharedSessionContractImplementor session) {
        return entity instanceof HibernateProxy proxy
                ? proxy.getHibernateLazyInitializer().getInternalIdentifier()
                : session.getEntityPersister(entityName, entity).getIdentifier(entity, session);
    }
}
