package io.github.shardedid.hibernate.internal.routing;

import io.github.shardedid.hibernate.UnreadableRowException;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.routing.RoutedScope;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.Target;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.hibernate.Hibernate;
import org.hibernate.OrderingMode;
import org.hibernate.StatelessSession;
import org.hibernate.collection.spi.PersistentCollection;
import org.hibernate.engine.spi.CollectionKey;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.exception.GenericJDBCException;
import org.hibernate.exception.JDBCConnectionException;
import org.hibernate.loader.ast.spi.MultiIdLoadOptions;
import org.hibernate.persister.collection.CollectionPersister;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/**
 * Runs Hibernate's work on one entity in the scope of its target: the shard that the id names or, for an entity that is not
 * sharded, the global database.
 *
 * <p>Safe for use by several threads. Looks up the mapping by name for each call, because persisters are constructed before the
 * mappings are read.
 */
public record EntityRouting(Sharding sharding, String entityName) {
    public boolean isSharded() {
        return sharding.mappings().find(entityName) != null;
    }

    private @Nullable ShardedMapping own() {
        return sharding.mappings().findOwnId(entityName);
    }

    /** Whether one statement can load the rows of two ids. */
    public boolean inOneShard(Object one, @Nullable Object other, SharedSessionContractImplementor session) {
        if (!isSharded() || other == null) {
            return true;
        }
        ShardedMapping own = own();
        if (own != null) {
            Integer shard = new RowShards(sharding).find(session, own, one);
            return shard != null && shard.equals(new RowShards(sharding).find(session, own, other));
        }
        return !cannotExist(one)
                && !cannotExist(other)
                && Objects.equals(
                        IdShards.shardOf(sharding, entityName, one), IdShards.shardOf(sharding, entityName, other));
    }

    /** Reads by an id; null, as for a row that is not found, if no shard of this cluster can have generated the id. */
    public <T> @Nullable T readOrNull(Object id, SharedSessionContractImplementor session, Supplier<@Nullable T> work) {
        return cannotExist(id) ? null : reading(id, session, work);
    }

    /** Reads by an id; the given value if no shard of this cluster can have generated the id. */
    public <T> T read(Object id, T missing, SharedSessionContractImplementor session, Supplier<T> work) {
        return cannotExist(id) ? missing : reading(id, session, work);
    }

    private <T extends @Nullable Object> T reading(
            Object id, SharedSessionContractImplementor session, Supplier<T> work) {
        return reading(() -> RowTargets.row(entityName, id), () -> atTarget(id, session, work));
    }

    /** Reads a row in a target that something other than its id names. */
    <T> @Nullable T readAt(Target.Single target, Supplier<String> row, Supplier<@Nullable T> work) {
        return EntityRouting.<@Nullable T>reading(row, () -> RoutedScope.call(target, work));
    }

    /** {@code SessionImpl.find} takes these two exceptions for a row that does not exist. */
    private static <T extends @Nullable Object> T reading(Supplier<String> row, Supplier<T> work) {
        try {
            return work.get();
        } catch (GenericJDBCException | JDBCConnectionException e) {
            throw new UnreadableRowException(
                    row.get() + " could not be read; whether it exists is unknown: " + e.getMessage(), e);
        }
    }

    private boolean cannotExist(Object id) {
        return IdShards.cannotExist(sharding, entityName, id);
    }

    private <T extends @Nullable Object> T atTarget(
            Object id, SharedSessionContractImplementor session, Supplier<T> work) {
        Target.Single target = RowTargets.ofRead(sharding, session, entityName, id);
        return target == null ? work.get() : RoutedScope.call(target, work);
    }

    /** Does something other than a read by an id, such as locking; an id of no shard of this cluster is an error. */
    public void at(Object id, SharedSessionContractImplementor session, Runnable work) {
        atTarget(id, session, () -> {
            work.run();
            return id;
        });
    }

    /** Reads a collection of the row of an id. A stateless session does not know the row, but the collection does. */
    public void initialize(
            CollectionPersister persister, Object id, SharedSessionContractImplementor session, Runnable work) {
        PersistentCollection<?> collection = own() == null || !(session instanceof StatelessSession)
                ? null
                : session.getPersistenceContextInternal().getCollection(new CollectionKey(persister, id));
        Integer shard = ofStateless(collection == null ? null : collection.getOwner(), session);
        if (shard == null) {
            at(id, session, work);
        } else {
            RoutedScope.run(Target.shard(shard), () -> at(id, session, work));
        }
    }

    /** Reads the row of an entity. A stateless session does not know the row, but the shard key of the entity may be set. */
    public <T> @Nullable T readOf(
            @Nullable Object entity, Object id, SharedSessionContractImplementor session, Supplier<@Nullable T> work) {
        Integer shard = ofStateless(entity, session);
        return shard == null
                ? readOrNull(id, session, work)
                : RoutedScope.call(shard, () -> readOrNull(id, session, work));
    }

    private @Nullable Integer ofStateless(@Nullable Object entity, SharedSessionContractImplementor session) {
        ShardedMapping own = own();
        if (own == null || own.key() == null || entity == null || !(session instanceof StatelessSession)) {
            return null;
        }
        EntityPersister persister = session.getEntityPersister(null, entity);
        return Hibernate.isInitialized(entity)
                        && RowState.value(persister, entity, own.key().name()) == null
                ? null
                : new ShardChoice(sharding, session.getFactory(), session).ofRow(own, entity);
    }

    /** Writes the row of an id and declares the write; a new row of a global entity may have no id. */
    public <T extends @Nullable Object> T write(
            @Nullable Object id, SharedSessionContractImplementor session, Supplier<T> work) {
        return write(id, session, shard -> {}, work);
    }

    /**
     * The same after a check.
     *
     * @param check receives the shard of the row; not called for a row of the global database
     */
    public <T extends @Nullable Object> T write(
            @Nullable Object id, SharedSessionContractImplementor session, IntConsumer check, Supplier<T> work) {
        Target.Single target = RowTargets.ofWrite(sharding, session, entityName, id);
        if (target instanceof Target.Shard one) {
            check.accept(one.number());
        }
        return target == null
                ? work.get()
                : writeTo(target, session, () -> id == null ? newRow() : RowTargets.row(entityName, id), work);
    }

    /** The same for work without a result. */
    public void write(@Nullable Object id, SharedSessionContractImplementor session, Runnable work) {
        this.<@Nullable Object>write(id, session, () -> {
            work.run();
            return null;
        });
    }

    /** Writes a new row, whose id the database generates, to a shard and declares the write. */
    public <T extends @Nullable Object> T writeNew(
            int shard, SharedSessionContractImplementor session, Supplier<T> work) {
        return writeTo(Target.shard(shard), session, this::newRow, work);
    }

    private String newRow() {
        return RowTargets.newRow(sharding, entityName);
    }

    private <T extends @Nullable Object> T writeTo(
            Target.Single target, SharedSessionContractImplementor session, Supplier<String> row, Supplier<T> work) {
        DeclaredWrites.declare(session, target, row);
        if (!session.isTransactionInProgress()) {
            // Outside a transaction each row may have another shard, but a JDBC batch keeps the statement of its first
            // row.
            // Hibernate 7.4 batches in transactions only; later versions may not.
            session.getJdbcCoordinator().executeBatch();
        }
        return RoutedScope.call(target, work);
    }

    /** Loads several ids with one call per shard, and merges the results in the requested order. */
    public List<?> readAll(
            Object[] ids,
            SharedSessionContractImplementor session,
            MultiIdLoadOptions options,
            Function<Object[], List<?>> load) {
        if (!isSharded()) {
            return RoutedScope.call(Target.global(), () -> load.apply(ids));
        }
        ShardedMapping own = own();
        return LoadsByTarget.load(
                ids,
                options.getOrderingMode() == OrderingMode.ORDERED,
                id -> id == null || cannotExist(id) ? null : own == null ? byId(id) : asked(session, own, id),
                load);
    }

    private @Nullable Target byId(Object id) {
        Integer shard = IdShards.shardOf(sharding, entityName, id);
        return shard == null ? null : Target.shard(shard);
    }

    private @Nullable Target asked(SharedSessionContractImplementor session, ShardedMapping own, Object id) {
        new RowShards(sharding).checkAsked(session, own, id);
        Target found = new RowShards(sharding).ofRead(session, own, id);
        return found == null ? ShardContext.target() : found;
    }
}
