package io.github.shardedid.hibernate.internal.routing;

import io.github.shardedid.hibernate.internal.mapping.ShardKeyAttribute;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.routing.KnownRows.SessionRows;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.WrongShardException;
import java.util.Objects;
import java.util.OptionalInt;
import org.hibernate.StatelessSession;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.EntityHolder;
import org.hibernate.engine.spi.PersistenceContext;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.proxy.HibernateProxy;
import org.hibernate.proxy.LazyInitializer;
import org.jspecify.annotations.Nullable;

/**
 * The shards of rows whose ids name none. A session knows the rows that it has read or saved: by their shard keys, or by the scope in
 * which it has read a reference to them. Others are looked for in the open scope. Safe for use by several threads.
 *
 * <p>A row's shard is looked for in this order:
 *
 * <ol>
 *   <li>the one that the session has noted when it read or saved the row, or a reference to it;
 *   <li>that of the shard key, if the row is managed, from the state that was read and not from the entity, which
 *       may have been changed;
 *   <li>for reads only, the open scope.
 * </ol>
 *
 * <p>A write never goes to the open scope: the row might be in another shard, and an update would change
 * nothing, or another row with that id. A stateless session knows no rows, so it only queries for them.
 */
public record RowShards(Sharding sharding) {
    /** Instead of a shard: the session has read a reference to the row where its shard was not known. */
    private static final int UNKNOWN = -1;

    /**
     * Returns where a row is read.
     *
     * @return null for a row with a UUID in the scope of several shards: it is looked for in all of them
     * @throws NoShardException if the session does not know the row, and no scope is open
     * @throws WrongShardException if the session has rows of another shard
     */
    Target.@Nullable Single ofRead(SharedSessionContractImplementor session, ShardedMapping mapping, Object id) {
        requireRows(session, mapping, id);
        Integer known = find(session, mapping, id);
        if (known != null) {
            return to(session, mapping, known);
        }
        boolean unknown = Objects.equals(rows(session).find(mapping, id), UNKNOWN);
        OptionalInt scope = sharding.shard(session);
        if (scope.isPresent() && !unknown) {
            return to(session, mapping, scope.getAsInt());
        }
        if (sharding.target(session) instanceof ShardSet && mapping.ownId() == ShardedMapping.Uniqueness.CLUSTER) {
            return null;
        }
        throw new NoShardException(
                RowTargets.row(mapping.entityName(), id) + " cannot be found by its id alone, which names no"
                        + " shard: the shard key " + mapping.key() + " does. "
                        + (unknown
                                ? "The reference to it was read over several shards. Read it in ShardContext.run(shard, …)."
                                : "Call this in ShardContext.run(shard, …) with the shard of that key, or query with the key."));
    }

    /**
     * Returns where a row is written that the session has read, or is about to save.
     *
     * @throws NoShardException if the session does not know the row
     */
    public Target.Single ofWrite(SharedSessionContractImplementor session, ShardedMapping mapping, Object id) {
        requireRows(session, mapping, id);
        Integer known = find(session, mapping, id);
        if (known == null) {
            throw new NoShardException("The shard of " + RowTargets.row(mapping.entityName(), id)
                    + " is not known: its id names none, and the session has not read the row. Load it, in"
                    + " ShardContext.run(shard, …), and change the entity. Nothing was sent.");
        }
        return to(session, mapping, known);
    }

    /** Returns the target of a row, after a second shard of its entity has been refused. */
    private Target.Single to(SharedSessionContractImplementor session, ShardedMapping mapping, int shard) {
        keepToOne(session, mapping, shard);
        return Target.shard(shard);
    }

    /** Refuses a second shard of an entity whose rows in two shards may have the same id. */
    public void keepToOne(SharedSessionContractImplementor session, ShardedMapping mapping, int shard) {
        if (!isStateless(session)) {
            rows(session).keepToOne(mapping, shard);
        }
    }

    /** Refuses a stateless session, which does not know in which shard it has read a row. */
    private static void requireRows(SharedSessionContractImplementor session, ShardedMapping mapping, Object id) {
        if (isStateless(session)) {
            throw NoShardException.ofValue(RowTargets.row(mapping.entityName(), id)
                    + " cannot be read, written or fetched by a stateless session: its id names no shard, and the session keeps"
                    + " no rows whose shard it could know. Use a session or an EntityManager, or a query.");
        }
    }

    /** Checks a row that the application asks for by its id: the session may have it already, from another shard than the scope. */
    public void checkAsked(SharedSessionContractImplementor session, ShardedMapping mapping, Object id) {
        Integer known = find(session, mapping, id);
        OptionalInt scope = sharding.shard(session);
        if (known != null && scope.isPresent() && known != scope.getAsInt()) {
            keepToOne(session, mapping, scope.getAsInt());
            throw new WrongShardException(RowTargets.row(mapping.entityName(), id) + " is in shard " + known
                    + " for this session, but was asked for in the scope of shard " + scope.getAsInt()
                    + ". Its id names no shard. Open the scope of the right shard, or use another session.");
        } else if (known == null) {
            ofRead(session, mapping, id);
        }
    }

    /** The shard of a row that a session knows; null if it does not. */
    public @Nullable Integer find(SharedSessionContractImplementor session, ShardedMapping mapping, Object id) {
        SessionRows rows = rows(session);
        Integer noted = rows.find(mapping, id);
        if (noted != null && noted != UNKNOWN) {
            return noted;
        }
        Integer managed = ofManaged(session, mapping, id);
        if (managed != null) {
            rows.put(mapping, id, managed);
        }
        return managed;
    }

    /**
     * Returns the shard of a managed row by its shard key; null if the session does not have the row. A row that
     * is being deleted has its former state.
     */
    private @Nullable Integer ofManaged(SharedSessionContractImplementor session, ShardedMapping mapping, Object id) {
        EntityPersister persister = persisterOf(session, mapping);
        PersistenceContext context = session.getPersistenceContextInternal();
        Object entity = context.getEntity(session.generateEntityKey(id, persister));
        EntityEntry entry = entity == null ? null : context.getEntry(entity);
        if (entry == null) {
            return null;
        }
        Object[] state = entry.getLoadedState() != null ? entry.getLoadedState() : entry.getDeletedState();
        Integer shard = state == null ? null : byKey(session, entry.getPersister(), state);
        // Hibernate leaves a reference to a row out of a new row that it is to insert before that one.
        return shard != null || entry.isExistsInDatabase()
                ? shard
                : new ShardChoice(sharding, session.getFactory(), session).ofNewKey(entity);
    }

    /** The shard that the state of a row names; null if its key is null, or refers to a row of an unknown shard. */
    private @Nullable Integer byKey(
            SharedSessionContractImplementor session, EntityPersister persister, @Nullable Object[] state) {
        ShardedMapping mapping = sharding.mappings().find(persister.getEntityName());
        ShardKeyAttribute key = mapping == null ? null : mapping.key();
        if (key == null) {
            return null;
        }
        ShardChoice choice = new ShardChoice(sharding, session.getFactory(), session);
        Object set = RowState.value(persister, state, key.name());
        Object value = set == null ? ShardChoice.tenant(key, session) : set;
        try {
            return value == null ? null : choice.ofKey(key, value);
        } catch (NoShardException e) {
            return null; // a parent is being read, and its own key has not been set yet
        }
    }

    /**
     * Returns whether a query has created an entity, but not yet set its attributes.
     *
     * <p>Its shard key is null then, which must not be taken for a key without a value.
     */
    boolean isBeingRead(SharedSessionContractImplementor session, ShardedMapping mapping, Object id) {
        EntityHolder holder = session.getPersistenceContextInternal()
                .getEntityHolder(session.generateEntityKey(id, persisterOf(session, mapping)));
        return holder != null && holder.getEntityInitializer() != null && holder.getEntityEntry() == null;
    }

    /**
     * Returns the persister of the mapped entity, for keys of a session: they are equal for all entities of a
     * hierarchy.
     */
    private static EntityPersister persisterOf(SharedSessionContractImplementor session, ShardedMapping mapping) {
        return session.getFactory().getMappingMetamodel().getEntityDescriptor(mapping.entityName());
    }

    /**
     * Notes the shard of a row that is being read, and of the rows that it refers to: all are in one shard.
     *
     * <p>Without a scope of one shard, as in a query over several, the references have to be noted, since they are
     * read later, when the query's shard is not known any more.
     */
    public void noteRead(
            SharedSessionContractImplementor session,
            EntityPersister persister,
            Object entity,
            Object id,
            @Nullable Object[] state) {
        if (isStateless(session)) {
            return;
        }
        ShardedMapping own = sharding.mappings().findOwnId(persister.getEntityName());
        OptionalInt scope = sharding.shard(session);
        Integer shard = scope.isPresent()
                ? (Integer) scope.getAsInt()
                : own == null
                        ? RowTargets.shardOf(sharding, persister.getEntityName(), id)
                        : byKey(session, persister, state);
        if (shard == null) {
            return;
        }
        if (own != null) {
            note(session, own, id, shard);
            noteEntity(entity, shard);
        }
        // In the scope of one shard, each new reference is noted when it is created.
        if (scope.isEmpty()) {
            sharding.referring()
                    .of(persister, false)
                    .forEach(each ->
                            noteReference(session, state[each.attribute().getStateArrayPosition()], shard));
        }
    }

    private void noteReference(SharedSessionContractImplementor session, @Nullable Object value, int shard) {
        LazyInitializer reference = HibernateProxy.extractLazyInitializer(value);
        ShardedMapping own = reference == null ? null : sharding.mappings().findOwnId(reference.getEntityName());
        if (reference != null && own != null && reference.isUninitialized()) {
            note(session, own, reference.getInternalIdentifier(), shard);
            sharding.rows().instances.put(reference, shard);
        }
    }

    /**
     * Notes the shard of a row that the session reads or writes.
     *
     * @throws WrongShardException if the session has rows of another shard, and the ids of the entity are unique
     *     only within one
     */
    public void note(SharedSessionContractImplementor session, ShardedMapping mapping, Object id, int shard) {
        rows(session).keepToOne(mapping, shard);
        rows(session).put(mapping, id, shard);
    }

    /**
     * Notes a new reference to a row: what it refers to is in the shard that the session knows, or reads from.
     *
     * <p>A reference that was read over several shards is noted as unknown: the scope that happens to be open when
     * it is read says nothing of it.
     *
     * @param session null if the reference is created outside of any
     * @param entity the reference; null if the session does not create it
     */
    public void noteReference(
            @Nullable SharedSessionContractImplementor session,
            ShardedMapping mapping,
            Object id,
            @Nullable Object entity) {
        if (session == null || isStateless(session)) {
            return;
        }
        Integer known = find(session, mapping, id);
        OptionalInt scope = sharding.shard(session);
        Integer shard = known != null ? known : scope.isPresent() ? (Integer) scope.getAsInt() : null;
        if (shard != null) {
            note(session, mapping, id, shard);
        } else {
            rows(session).put(mapping, id, UNKNOWN);
        }
        LazyInitializer reference = HibernateProxy.extractLazyInitializer(entity);
        if (reference != null && shard != null) {
            sharding.rows().instances.put(reference, shard);
        }
    }

    /** The shard of a reference that is not loaded; null if it is unknown. */
    @Nullable
    Integer ofReference(LazyInitializer reference) {
        return sharding.rows().instances.getIfPresent(reference);
    }

    /** Notes where an entity has been read or written, whatever becomes of its shard key; null once its row is deleted. */
    public void noteEntity(Object entity, @Nullable Integer shard) {
        if (shard == null) {
            sharding.rows().instances.invalidate(entity);
        } else {
            sharding.rows().instances.put(entity, shard);
        }
    }

    /** Refuses an entity whose shard key has been changed since it was read: its row is in the other shard. */
    void checkKey(ShardedMapping mapping, Object entity, int shard) {
        Integer noted = sharding.rows().instances.getIfPresent(entity);
        if (noted != null && noted != shard) {
            throw new WrongShardException("A " + mapping.entityName() + " was read or saved in shard " + noted
                    + ", but its shard key " + mapping.key() + " now names shard " + shard
                    + ", and its id names none: the row would be looked for in the wrong shard. Insert a new object there, and"
                    + " delete this row. Nothing was sent.");
        }
    }

    /** Forgets a row that a session has evicted. */
    public void forget(SharedSessionContractImplementor session, ShardedMapping mapping, Object id) {
        rows(session).remove(mapping, id);
    }

    /** Forgets the rows of a session that has been cleared. */
    public void forget(SharedSessionContractImplementor session) {
        sharding.rows().sessions.invalidate(session);
    }

    private static boolean isStateless(SharedSessionContractImplementor session) {
        return session instanceof StatelessSession;
    }

    private SessionRows rows(SharedSessionContractImplementor session) {
        return sharding.rows().sessions.get(session, none -> new SessionRows());
    }
}
