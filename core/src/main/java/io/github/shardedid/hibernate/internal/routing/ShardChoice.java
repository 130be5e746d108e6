package io.github.shardedid.hibernate.internal.routing;

import io.github.shardedid.hibernate.internal.mapping.ShardKeyAttribute;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.SecondWriteShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.WrongShardException;
import java.util.Objects;
import java.util.OptionalInt;
import org.hibernate.Hibernate;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.proxy.HibernateProxy;
import org.hibernate.proxy.LazyInitializer;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the shard of a new row: by its shard key, else by the open scope, else by what its transaction has written, else by the placement.
 *
 * <p>The order of the choice is a promise to applications: a shard key is stronger than the scope, so that a row
 * with a key is where queries by the key look for it, whichever scope is open. A transaction writes to one shard, so a row without key and
 * scope joins what was written before. Only if nothing else decides, the placement spreads rows over the cluster. A revision of Envers is an
 * exception: it belongs to the shard of what it audits.
 *
 * @param session null if the entity is not being saved: an attribute with the tenant's id, which the session sets, may be null then
 */
public record ShardChoice(
        Sharding sharding, SessionFactoryImplementor factory, @Nullable SharedSessionContractImplementor session) {
    /** The shard of an entity outside of any session: that of its id or, if it is new, the one where it would be stored now. */
    public static int shardOf(Sharding sharding, Object entity, SessionFactoryImplementor factory) {
        ShardChoice choice = new ShardChoice(sharding, factory, null);
        Integer byId = choice.byId(choice.nameOf(entity), entity);
        return byId == null ? choice.choose(choice.persisterOf(entity), entity) : byId;
    }

    /** The class of an entity; of a reference, the declared one, since the class of its row would have to be read. */
    public static Class<?> typeOf(Object entity) {
        LazyInitializer reference = HibernateProxy.extractLazyInitializer(entity);
        return reference == null ? entity.getClass() : reference.getPersistentClass();
    }

    private String nameOf(Object entity) {
        LazyInitializer reference = HibernateProxy.extractLazyInitializer(entity);
        return reference != null
                ? reference.getEntityName()
                : persisterOf(entity).getEntityName();
    }

    /**
     * Returns the shard of the row of an entity by its id, or for an id that names none, by what is known of the
     * row. Null for a new row: without an id, or with one whose part an association will set.
     */
    public @Nullable Integer byId(String entityName, Object entity) {
        UnroutableIds.Rows own = sharding.unroutable(entityName);
        if (own != null) {
            return own.ofEntity(entity, factory, session);
        }
        ShardedMapping mapping = sharding.mappings().find(entityName);
        if (mapping != null && mapping.idPart() != null && mapping.key() != null && !mapping.isKeyInId()) {
            EntityPersister persister = factory.getMappingMetamodel().getEntityDescriptor(entityName);
            boolean loaded = Hibernate.isInitialized(entity);
            // @MapsId: Hibernate writes the id of the association into the part, which may still have another
            // value.
            if (loaded && RowState.value(persister, entity, mapping.key().name()) != null) {
                return null;
            }
        }
        Object id = idOf(entityName, entity);
        return id instanceof Number number && number.longValue() == 0
                ? null
                : RowTargets.shardOf(sharding, entityName, id);
    }

    /** The shard of a value of a shard key; null if it is a parent without an id, or a reference to a row of an unknown shard. */
    public @Nullable Integer ofKey(ShardKeyAttribute key, Object value) {
        return key.kind() == ShardKeyAttribute.Kind.PARENT
                ? byId(Objects.requireNonNull(key.target()), value)
                : (Integer) key.rule(sharding.cluster()).shardOf(value);
    }

    /** The shard that the shard key of a new row names; null if it has none, or it is not set yet. */
    public @Nullable Integer ofNewKey(Object entity) {
        try {
            OptionalInt byKey = byKey(entity);
            return byKey.isPresent() ? (Integer) byKey.getAsInt() : null;
        } catch (NoShardException | WrongShardException e) {
            // Reported when the row itself is saved.
            return null;
        }
    }

    /**
     * Returns the shard of a new row, in the order of this class.
     *
     * @throws NoShardException if the shard key has no value, or refers to a row of an unknown shard
     */
    public int choose(EntityPersister persister, Object entity) {
        String entityName = persister.getEntityName();
        if (sharding.choosesShards(entityName)) {
            if (session != null && sharding.mappings().auditTables().isRevision(entityName)) {
                return ofTransaction(sharding, session);
            }
            OptionalInt byKey = byKey(persister, entity);
            if (byKey.isPresent()) {
                return byKey.getAsInt();
            }
        }
        OptionalInt scope = session == null ? ShardContext.current() : sharding.shard(session);
        if (scope.isPresent()) {
            return scope.getAsInt();
        } else if (session != null && Sharding.writtenBy(session) instanceof Target.Shard written) {
            return written.number();
        }
        return sharding.placement()
                .shardFor(entity, sharding.cluster().map().get().forNewRows());
    }

    /** A revision, and the rows of audit tables, audit what their transaction has written, so the placement is never asked. */
    static int ofTransaction(Sharding sharding, SharedSessionContractImplementor session) {
        Target.Single written = Sharding.writtenBy(session);
        if (written instanceof Target.Shard shard) {
            return shard.number();
        } else if (written != null) {
            throw new SecondWriteShardException("A revision in a shard cannot audit a transaction that writes to "
                    + written + ". Use one transaction for each.");
        }
        return sharding.shard(session)
                .orElseThrow(
                        () -> new NoShardException("No shard is known for a new revision: the transaction has written"
                                + " nothing yet. Write first, or run it in ShardContext.run(shard, …)."));
    }

    /**
     * Returns the shard that the shard key of an entity names; empty if it has no shard key.
     *
     * @throws NoShardException if the shard key has no value
     */
    public OptionalInt byKey(Object entity) {
        return byKey(persisterOf(entity), entity);
    }

    private OptionalInt byKey(EntityPersister persister, Object entity) {
        ShardedMapping mapping = sharding.mappings().find(persister.getEntityName());
        ShardKeyAttribute key = mapping == null ? null : mapping.key();
        if (mapping == null || key == null) {
            return OptionalInt.empty();
        }
        Object value = mapping.isKeyInId() ? ofId(mapping, entity) : value(persister, key, entity);
        if (key.isUnset(value)) {
            if (key.begins()) {
                return OptionalInt.empty();
            }
            throw NoShardException.ofValue("No shard is known for a new " + persister.getEntityName()
                    + ": its shard key " + key + " is " + value + ". Set the shard key before the entity is saved:"
                    + " callbacks such as @PrePersist, and auditing with @CreatedBy, come later.");
        }
        Objects.requireNonNull(value);
        if (mapping.isKeyInId() && key.target() != null) {
            Integer shard = RowTargets.shardOf(sharding, key.target(), value);
            return shard == null ? OptionalInt.empty() : OptionalInt.of(shard);
        }
        return OptionalInt.of(
                key.kind() == ShardKeyAttribute.Kind.PARENT
                        ? ofParent(key, value)
                        : key.rule(sharding.cluster()).shardOf(value));
    }

    /** Returns the part of an id that is the shard key; null if the application has not set it. */
    private @Nullable Object ofId(ShardedMapping mapping, Object entity) {
        Object id = idOf(mapping.entityName(), entity);
        return id == null || mapping.idPart() == null ? null : mapping.idPart().of(id);
    }

    /** The attribute's value; of a tenant's id, the one that Hibernate is about to set. */
    private @Nullable Object value(EntityPersister persister, ShardKeyAttribute key, Object entity) {
        Object value = RowState.value(persister, entity, key.name());
        return value == null ? tenant(key, session) : value;
    }

    /** Returns what Hibernate sets an empty shard key to when it inserts a row: the id of the session's tenant. Null for another key. */
    public static @Nullable Object tenant(ShardKeyAttribute key, @Nullable SharedSessionContractImplementor session) {
        return session == null || !key.tenant() ? null : session.getTenantIdentifierValue();
    }

    /**
     * Returns the shard of the parent in a shard key, whether it is saved or, as when both are saved by one
     * cascade, still new.
     */
    private int ofParent(ShardKeyAttribute key, Object parent) {
        Integer shard = byId(Objects.requireNonNull(key.target()), parent);
        if (shard != null) {
            return shard;
        }
        if (!Hibernate.isInitialized(parent) && sharding.unroutable(key.target()) != null) {
            throw NoShardException.ofValue("No shard is known for a " + key.entity() + ": its shard key " + key
                    + " is a reference to a row that is not loaded, and whose id names no shard. Load it, in"
                    + " ShardContext.run(shard, …).");
        }
        // The parent is inserted by cascade later: its own shard key determines its shard.
        return byKey(parent)
                .orElseThrow(() -> NoShardException.ofValue("No shard is known for a new " + key.entity()
                        + ": the parent in its shard key " + key + " has no id yet. Save the parent first."));
    }

    private EntityPersister persisterOf(Object entity) {
        return session == null
                ? factory.getMappingMetamodel().getEntityDescriptor(Hibernate.getClass(entity))
                : session.getEntityPersister(null, entity);
    }

    /** Returns the id of an entity, which a proxy has without being loaded. */
    public @Nullable Object idOf(@Nullable String entityName, Object entity) {
        return session == null
                ? factory.getPersistenceUnitUtil().getIdentifier(entity)
                : idOf(entityName, entity, session);
    }

    /** The id of an entity or proxy, without loading it; null if it has none yet. */
    public static @Nullable Object idOf(
            @Nullable String entityName, Object entity, SharedSessionContractImplementor session) {
        return entity instanceof HibernateProxy proxy
                ? proxy.getHibernateLazyInitializer().getInternalIdentifier()
                : session.getEntityPersister(entityName, entity).getIdentifier(entity, session);
    }
}
