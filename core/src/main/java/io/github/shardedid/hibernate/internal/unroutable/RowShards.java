package io.github.shardedid.hibernate.internal.unroutable;

import io.github.shardedid.hibernate.internal.mapping.ShardKeyAttribute;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.routing.RowState;
import io.github.shardedid.hibernate.internal.routing.RowTargets;
import io.github.shardedid.hibernate.internal.routing.ShardChoice;
import io.github.shardedid.hibernate.internal.routing.UnroutableIds;
import io.github.shardedid.hibernate.internal.unroutable.KnownRows.SessionRows;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.WrongShardException;
import java.util.Objects;
import java.util.OptionalInt;
import org.hibernate.Hibernate;
import org.hibernate.StatelessSession;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.EntityHolder;
import org.hibernate.engine.spi.EntityKey;
import org.hibernate.engine.spi.PersistenceContext;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.proxy.HibernateProxy;
import org.hibernate.proxy.LazyInitializer;
import org.jspecify.annotations.Nullable;

/**
 * The shards of the rows of an entity whose ids name none. A session knows the rows that it has read or saved: by their shard keys, or by
 * the scope in which it has read a reference to them. Others are looked for in the open scope. Safe for use by several threads.
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
record RowShards(KnownRows known, ShardedMapping mapping) implements UnroutableIds.Rows {
    /** Instead of a shard: the session has read a reference to the row where its shard was not known. */
    private static final int UNKNOWN = -1;

    @Override
    public Target.@Nullable Single ofRead(SharedSessionContractImplementor session, Object id) {
        requireRows(session, id);
        Integer shard = find(session, id);
        if (shard != null) {
            return to(session, shard);
        }
        boolean unknown = Objects.equals(in(session).shards.get(id), UNKNOWN);
        OptionalInt scope = known.sharding().shard(session);
        if (scope.isPresent() && !unknown) {
            return to(session, scope.getAsInt());
        }
        if (known.sharding().target(session) instanceof ShardSet
                && mapping.ownId() == ShardedMapping.Uniqueness.CLUSTER) {
            return null;
        }
        throw new NoShardException(
                row(id) + " cannot be found by its id alone, which names no"
                        + " shard: the shard key " + mapping.key() + " does. "
                        + (unknown
                                ? "The reference to it was read over several shards. Read it in ShardContext.run(shard, …)."
                                : "Call this in ShardContext.run(shard, …) with the shard of that key, or query with the key."));
    }

    @Override
    public Target.Single ofWrite(SharedSessionContractImplementor session, Object id) {
        requireRows(session, id);
        Integer shard = find(session, id);
        if (shard == null) {
            throw new NoShardException("The shard of " + row(id)
                    + " is not known: its id names none, and the session has not read the row. Load it, in"
                    + " ShardContext.run(shard, …), and change the entity. Nothing was sent.");
        }
        return to(session, shard);
    }

    private String row(Object id) {
        return RowTargets.row(mapping.entityName(), id);
    }

    /** Returns the target of a row, after a second shard of its entity has been refused. */
    private Target.Single to(SharedSessionContractImplementor session, int shard) {
        keepToOne(session, shard);
        return Target.shard(shard);
    }

    /**
     * Refuses a second shard if two rows of the entity may have the same id.
     *
     * <p>Hibernate's session identifies a row by its type and id, so it could return the row of one shard for
     * that of another one, and write it there.
     *
     * @throws WrongShardException if the session has rows of another shard
     */
    void keepToOne(SharedSessionContractImplementor session, int shard) {
        if (session instanceof StatelessSession || mapping.ownId() != ShardedMapping.Uniqueness.SHARD) {
            return;
        }
        SessionRows rows = in(session);
        if (rows.only == null) {
            rows.only = shard;
        } else if (rows.only != shard) {
            throw new WrongShardException("The session has rows of " + mapping.entityName() + " in shard " + rows.only
                    + ", and was asked for one in shard " + shard
                    + ". The ids of the entity are unique only within a shard, so Hibernate could take rows of two shards"
                    + " for one. Call EntityManager.clear() before, or use one session (transaction) for each shard.");
        }
    }

    SessionRows in(SharedSessionContractImplementor session) {
        return known.in(session, mapping.table());
    }

    /** Refuses a stateless session, which does not know in which shard it has read a row. */
    private void requireRows(SharedSessionContractImplementor session, Object id) {
        if (session instanceof StatelessSession) {
            throw NoShardException.ofValue(row(id)
                    + " cannot be read, written or fetched by a stateless session: its id names no shard, and the session keeps"
                    + " no rows whose shard it could know. Use a session or an EntityManager, or a query.");
        }
    }

    @Override
    public Target.@Nullable Single ofAsked(SharedSessionContractImplementor session, Object id) {
        Integer shard = find(session, id);
        OptionalInt scope = known.sharding().shard(session);
        if (shard != null && scope.isPresent() && shard != scope.getAsInt()) {
            keepToOne(session, scope.getAsInt());
            throw new WrongShardException(row(id) + " is in shard " + shard
                    + " for this session, but was asked for in the scope of shard " + scope.getAsInt()
                    + ". Its id names no shard. Open the scope of the right shard, or use another session.");
        }
        return ofRead(session, id);
    }

    @Override
    public @Nullable Integer find(SharedSessionContractImplementor session, Object id) {
        SessionRows rows = in(session);
        Integer noted = rows.shards.get(id);
        if (noted != null && noted != UNKNOWN) {
            return noted;
        }
        Integer managed = ofManaged(session, id);
        if (managed != null) {
            rows.shards.put(id, managed);
        }
        return managed;
    }

    /**
     * Returns the shard of a managed row by its shard key; null if the session does not have the row. A row that
     * is being deleted has its former state.
     */
    private @Nullable Integer ofManaged(SharedSessionContractImplementor session, Object id) {
        PersistenceContext context = session.getPersistenceContextInternal();
        Object entity = context.getEntity(key(session, id));
        EntityEntry entry = entity == null ? null : context.getEntry(entity);
        if (entry == null) {
            return null;
        }
        Object[] state = entry.getLoadedState() != null ? entry.getLoadedState() : entry.getDeletedState();
        Integer shard = state == null ? null : byKey(session, entry.getPersister(), state);
        // Hibernate leaves a reference to a row out of a new row that it is to insert before that one.
        return shard != null || entry.isExistsInDatabase()
                ? shard
                : choice(session).ofNewKey(entity);
    }

    private ShardChoice choice(SharedSessionContractImplementor session) {
        return new ShardChoice(known.sharding(), session.getFactory(), session);
    }

    /** The shard that the state of a row names; null if its key is null, or refers to a row of an unknown shard. */
    private @Nullable Integer byKey(
            SharedSessionContractImplementor session, EntityPersister persister, @Nullable Object[] state) {
        ShardedMapping read = known.sharding().mappings().find(persister.getEntityName());
        ShardKeyAttribute key = read == null ? null : read.key();
        if (key == null) {
            return null;
        }
        Object set = RowState.value(persister, state, key.name());
        Object value = set == null ? ShardChoice.tenant(key, session) : set;
        try {
            return value == null ? null : choice(session).ofKey(key, value);
        } catch (NoShardException e) {
            return null; // a parent is being read, and its own key has not been set yet
        }
    }

    @Override
    public @Nullable Integer ofEntity(
            Object entity, SessionFactoryImplementor factory, @Nullable SharedSessionContractImplementor session) {
        LazyInitializer reference = HibernateProxy.extractLazyInitializer(entity);
        if (reference != null && reference.isUninitialized()) {
            Integer noted = known.instances().getIfPresent(reference);
            return noted != null || session == null ? noted : find(session, reference.getInternalIdentifier());
        }
        Object row = reference == null ? entity : reference.getImplementation();
        boolean initialized = Hibernate.isInitialized(row);
        Object id = session == null ? null : ShardChoice.idOf(mapping.entityName(), row, session);
        if (session != null && id != null) {
            // An entity that the session has not read may have an id of a row that it has read from another shard;
            // its own key decides.
            boolean managed =
                    !initialized || session.getPersistenceContextInternal().isEntryFor(row);
            Integer shard = managed ? find(session, id) : null;
            if (shard != null || (!managed && isBeingRead(session, id))) {
                return shard;
            }
        }
        OptionalInt byKey =
                initialized ? new ShardChoice(known.sharding(), factory, session).byKey(row) : OptionalInt.empty();
        if (byKey.isEmpty()) {
            return null;
        }
        checkKey(row, byKey.getAsInt());
        return byKey.getAsInt();
    }

    /**
     * Returns whether a query has created an entity, but not yet set its attributes.
     *
     * <p>Its shard key is null then, which must not be taken for a key without a value.
     */
    private boolean isBeingRead(SharedSessionContractImplementor session, Object id) {
        EntityHolder holder = session.getPersistenceContextInternal().getEntityHolder(key(session, id));
        return holder != null && holder.getEntityInitializer() != null && holder.getEntityEntry() == null;
    }

    /** Returns the key of a row in a session, which is equal for all entities of a hierarchy. */
    private EntityKey key(SharedSessionContractImplementor session, Object id) {
        return session.generateEntityKey(
                id, session.getFactory().getMappingMetamodel().getEntityDescriptor(mapping.entityName()));
    }

    /** Notes where a row is being read. Returns its shard; null if neither the scope nor the shard key names it. */
    @Nullable
    Integer noteRead(
            SharedSessionContractImplementor session,
            EntityPersister persister,
            Object entity,
            Object id,
            @Nullable Object[] state) {
        OptionalInt scope = known.sharding().shard(session);
        Integer shard = scope.isPresent() ? (Integer) scope.getAsInt() : byKey(session, persister, state);
        if (shard != null) {
            note(session, entity, id, shard);
        }
        return shard;
    }

    @Override
    public void note(SharedSessionContractImplementor session, @Nullable Object entity, Object id, int shard) {
        keepToOne(session, shard);
        in(session).shards.put(id, shard);
        if (entity != null) {
            known.instances().put(entity, shard);
        }
    }

    /**
     * {@inheritDoc}
     *
     * <p>A reference that was read over several shards is noted as unknown: the scope that happens to be open when
     * it is read says nothing of it.
     */
    @Override
    public void noteReference(@Nullable SharedSessionContractImplementor session, Object id, @Nullable Object entity) {
        if (session == null || session instanceof StatelessSession) {
            return;
        }
        Integer found = find(session, id);
        OptionalInt scope = known.sharding().shard(session);
        Integer shard = found != null ? found : scope.isPresent() ? (Integer) scope.getAsInt() : null;
        if (shard == null) {
            in(session).shards.put(id, UNKNOWN);
        } else {
            note(session, HibernateProxy.extractLazyInitializer(entity), id, shard);
        }
    }

    /** Refuses an entity whose shard key has been changed since it was read: its row is in the other shard. */
    private void checkKey(Object entity, int shard) {
        Integer noted = known.instances().getIfPresent(entity);
        if (noted != null && noted != shard) {
            throw new WrongShardException("A " + mapping.entityName() + " was read or saved in shard " + noted
                    + ", but its shard key " + mapping.key() + " now names shard " + shard
                    + ", and its id names none: the row would be looked for in the wrong shard. Insert a new object there, and"
                    + " delete this row. Nothing was sent.");
        }
    }

    @Override
    public UnroutableIds.SessionRule rule(SessionFactoryImplementor factory) {
        return new RowRule(known.sharding(), mapping.entityName(), factory, null);
    }
}
