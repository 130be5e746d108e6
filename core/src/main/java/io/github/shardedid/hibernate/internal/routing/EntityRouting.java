package io.github.shardedid.hibernate.internal.routing;

import io.github.shardedid.hibernate.internal.mapping.ReferringAttributes.Referring;
import io.github.shardedid.hibernate.internal.mapping.ShardKeyAttribute;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.routing.RoutedScope;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.WrongShardException;
import io.github.shardedid.topology.Cluster;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.hibernate.JDBCException;
import org.hibernate.OrderingMode;
import org.hibernate.StatelessSession;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.exception.GenericJDBCException;
import org.hibernate.exception.JDBCConnectionException;
import org.hibernate.generator.internal.TenantIdGeneration;
import org.hibernate.loader.ast.spi.MultiIdLoadOptions;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/**
 * Runs Hibernate's work on one entity in the scope of its target: the shard that the id names or, for an entity that is not
 * sharded, the global database. Created with the persister, which Hibernate does after it has called the integrator, so that the mapping is
 * known. Safe for use by several threads.
 *
 * <p>Reads and writes treat an id that no shard of this cluster can have generated differently: there is no such
 * row, so a read returns none, as for any other id without a row; a write is an error, since it would have to be
 * sent somewhere.
 */
public final class EntityRouting {
    private final Sharding sharding;
    private final String entityName;
    private final @Nullable ShardedMapping mapping;

    /** True if a global entity is read where the open scope is, since each database has its rows. */
    private final boolean replicated;

    /** The rows of the entity, if its ids name no shard; null if they do. */
    private final UnroutableIds.@Nullable Rows own;

    /** True if each id is a number of the layout, so that its bits decide: nothing else is looked up for such a row. */
    private final boolean plain;
    /** The key to check of a row that is written; null if there is none. */
    private final @Nullable ShardKeyAttribute checkedKey;

    private final boolean claims;
    /** Kept from the first row on. */
    private volatile @Nullable List<Referring> referring;

    private final Cluster cluster;

    public EntityRouting(Sharding sharding, String entityName) {
        this.sharding = sharding;
        this.entityName = entityName;
        this.mapping = sharding.mappings().find(entityName);
        this.own = sharding.unroutable(entityName);
        this.replicated = sharding.mappings().isReplicated(entityName);
        // Kept, because each row asks for them.
        this.plain = mapping != null && mapping.idNamesShard() && mapping.idPart() == null;
        this.checkedKey = mapping == null ? null : mapping.checkedKey();
        this.claims = sharding.claims(entityName);
        this.cluster = sharding.cluster();
    }

    public Sharding sharding() {
        return sharding;
    }

    public String entityName() {
        return entityName;
    }

    /** Returns the shard key that has to name the shard of a row that is written; null if nothing is to be checked. */
    public @Nullable ShardKeyAttribute checkedKey() {
        return checkedKey;
    }

    /** Returns the attributes that may refer to sharded rows, those of collections included if the session writes them with their row. */
    public List<Referring> referring(EntityPersister persister, SharedSessionContractImplementor session) {
        if (session instanceof StatelessSession) {
            return sharding.referring().of(persister, true);
        }
        List<Referring> known = referring;
        if (known == null) {
            known = sharding.referring().of(persister, false);
            referring = known;
        }
        return known;
    }

    /** Returns whether rows of the entity have values that are unique over all shards. */
    public boolean claims() {
        return claims;
    }

    /** Returns the rows of an entity whose ids name no shard; null for other entities. */
    public UnroutableIds.@Nullable Rows own() {
        return own;
    }

    public boolean isSharded() {
        return mapping != null;
    }

    /** Returns whether one statement can load the rows of two ids: false if the shard of either is not known. */
    public boolean inOneShard(Object one, @Nullable Object other, SharedSessionContractImplementor session) {
        if (mapping == null || other == null) {
            return true;
        }
        if (own != null) {
            Integer shard = own.find(session, one);
            return shard != null && shard.equals(own.find(session, other));
        }
        return !cannotExist(one)
                && !cannotExist(other)
                && Objects.equals(
                        RowTargets.shardOf(sharding, entityName, one), RowTargets.shardOf(sharding, entityName, other));
    }

    /** Reads by an id; null, as for a row that is not found, if no shard of this cluster can have generated the id. */
    public <T> @Nullable T readOrNull(Object id, SharedSessionContractImplementor session, Supplier<@Nullable T> work) {
        return cannotExist(id) ? null : reading(id, session, work);
    }

    /** Reads by an id; the given value if no shard of this cluster can have generated the id. */
    public <T> T read(Object id, T missing, SharedSessionContractImplementor session, Supplier<T> work) {
        return cannotExist(id) ? missing : reading(id, session, work);
    }

    /** Reads in the scope of the row. A failure of the database is passed on as a row that could not be read. */
    private <T extends @Nullable Object> T reading(
            Object id, SharedSessionContractImplementor session, Supplier<T> work) {
        try {
            return readsCopy() ? work.get() : atTarget(id, session, work);
        } catch (GenericJDBCException | JDBCConnectionException e) {
            throw unreadable(RowTargets.row(entityName, id), e);
        }
    }

    /**
     * Returns the failure of a read. {@code SessionImpl.find} takes the exceptions that Hibernate throws for a
     * failed statement for a row that does not exist: a caller would insert it again, or believe that it was
     * deleted.
     */
    private static JDBCException unreadable(String row, JDBCException cause) {
        JDBCException unreadable = new JDBCException(
                row + " could not be read; whether it exists is unknown: " + cause.getMessage(),
                cause.getSQLException(),
                cause.getSQL());
        unreadable.addSuppressed(cause);
        return unreadable;
    }

    /**
     * Returns whether no shard of this cluster can have generated an id. A plain id is decided by its bits,
     * without looking for the mapping.
     */
    private boolean cannotExist(Object id) {
        return (plain && id instanceof Number number)
                ? !cluster.canHaveMade(number.longValue())
                : RowTargets.cannotExist(sharding, entityName, id);
    }

    /**
     * Works in the scope of the row. Without a target, as for a UUID in the scope of several shards, the open
     * scope remains.
     */
    private <T extends @Nullable Object> T atTarget(
            Object id, SharedSessionContractImplementor session, Supplier<T> work) {
        Target.Single target = own != null ? own.ofRead(session, id) : byId(id);
        return target == null ? work.get() : RoutedScope.call(target, work);
    }

    private Target.@Nullable Single byId(@Nullable Object id) {
        return (plain && id instanceof Number number)
                ? Target.shard(cluster.shardOf(number.longValue()))
                : RowTargets.byId(sharding, entityName, id);
    }

    private boolean readsCopy() {
        return replicated && ShardContext.target() instanceof Target.Shard;
    }

    /** Reads a collection of the row of an id: from a copy only if the row is of one, since it is written with the row. */
    public void initialize(Object id, SharedSessionContractImplementor session, Runnable work) {
        if (readsCopy() && CopiedRows.isCopied(session, entityName, id)) {
            work.run();
        } else {
            at(id, session, work);
        }
    }

    /** Does something other than a read by an id, such as locking; an id of no shard of this cluster is an error. */
    public void at(Object id, SharedSessionContractImplementor session, Runnable work) {
        atTarget(id, session, () -> {
            work.run();
            return id;
        });
    }

    /** Returns the target of a row that is about to be written; null for a row of a sharded entity that has no id yet. */
    public Target.@Nullable Single ofWrite(@Nullable Object id, SharedSessionContractImplementor session) {
        return plain ? byId(id) : RowTargets.ofWrite(sharding, session, entityName, id);
    }

    /** Writes the row of an id and declares the write; a new row of a global entity may have no id. */
    public <T extends @Nullable Object> T write(
            @Nullable Object id, SharedSessionContractImplementor session, Supplier<T> work) {
        return write(ofWrite(id, session), id, session, work);
    }

    /** Writes the row of an id to its target, without a result. */
    public void write(@Nullable Object id, SharedSessionContractImplementor session, Runnable work) {
        this.<@Nullable Object>write(id, session, () -> {
            work.run();
            return null;
        });
    }

    /**
     * Writes a row to its target and declares the write.
     *
     * @param target null if the scope that is open remains
     * @param id null for a new row whose id the database generates
     */
    public <T extends @Nullable Object> T write(
            Target.@Nullable Single target,
            @Nullable Object id,
            SharedSessionContractImplementor session,
            Supplier<T> work) {
        if (target == null) {
            return work.get();
        }
        if (session instanceof StatelessSession) {
            checkTenant(target, id, session);
        } else if (replicated) {
            CopiedRows.check(session, entityName, id);
        }
        Sharding.connectionOf(session)
                .declareWrite(
                        target,
                        () -> id == null ? RowTargets.newRow(sharding, entityName) : RowTargets.row(entityName, id));
        if (!session.isTransactionInProgress()) {
            // Outside a transaction each row may have another shard, but a JDBC batch keeps the statement of its first
            // row.
            // Hibernate 7.4 batches in transactions only; later versions may not.
            session.getJdbcCoordinator().executeBatch();
        }
        return RoutedScope.call(target, work);
    }

    /**
     * Refuses a write of a stateless session whose tenant was checked in another shard. Hibernate 7.4 reads the tenant of a row with several
     * tables, collections or a cache entry before it writes the row, in the open scope. Another shard does not have the row, or has one with
     * the same number, so that the answer is wrong, and one tenant could change rows of another.
     */
    private void checkTenant(Target target, @Nullable Object id, SharedSessionContractImplementor session) {
        Target open = sharding.target(session);
        if (mapping != null && !target.equals(open) && readsTenant(session)) {
            throw new WrongShardException(RowTargets.row(entityName, id) + " is in " + target
                    + ", but Hibernate has looked for its tenant in the open scope (" + open
                    + "). A stateless session writes an entity with @TenantId and several tables, collections or a cache in the scope"
                    + " of its row only: call this in ShardContext.run(shard, …). The row was not written.");
        }
    }

    /** For the root tenant, which may write rows of all tenants, Hibernate reads the tenant of a row only if the entity is cached. */
    private boolean readsTenant(SharedSessionContractImplementor session) {
        EntityPersister persister = session.getFactory().getMappingMetamodel().getEntityDescriptor(entityName);
        var tenants = session.getFactory().getCurrentTenantIdentifierResolver();
        boolean root = tenants != null && tenants.isRoot(session.getTenantIdentifierValue());
        return Arrays.stream(persister.getGenerators()).anyMatch(TenantIdGeneration.class::isInstance)
                && (root
                        ? persister.canWriteToCache()
                        : persister.hasMultipleTables() || persister.hasOwnedCollections());
    }

    /**
     * Loads several ids with one call per target, and merges the results in the requested order.
     *
     * <p>An id without a row costs no statement if no shard can have generated it. The calls follow each other, by the one connection of the
     * session, since a session is not safe for several threads.
     *
     * @param options whether the result is ordered, and has null for missing rows
     * @param load loads the rows of one target, in its scope
     */
    public List<?> readAll(
            Object[] ids,
            SharedSessionContractImplementor session,
            MultiIdLoadOptions options,
            Function<Object[], List<?>> load) {
        if (mapping == null) {
            return readsCopy() ? load.apply(ids) : RoutedScope.call(Target.global(), () -> load.apply(ids));
        }
        Map<Target, List<Integer>> indexesByTarget = new LinkedHashMap<>();
        for (int i = 0; i < ids.length; i++) {
            Target target = ids[i] == null || cannotExist(ids[i]) ? null : asked(session, ids[i]);
            if (target != null) {
                indexesByTarget
                        .computeIfAbsent(target, none -> new ArrayList<>())
                        .add(i);
            }
        }
        boolean ordered = options.getOrderingMode() == OrderingMode.ORDERED;
        List<@Nullable Object> rows = new ArrayList<>(Collections.nCopies(ordered ? ids.length : 0, null));
        indexesByTarget.forEach((target, indexes) -> {
            // Of the type of the given array, which Hibernate casts to an array of the id's class.
            Object[] part = Arrays.copyOf(ids, indexes.size());
            Arrays.setAll(part, i -> ids[indexes.get(i)]);
            List<?> found = RoutedScope.call(target, () -> load.apply(part));
            if (ordered) {
                for (int i = 0; i < indexes.size(); i++) {
                    rows.set(indexes.get(i), found.get(i));
                }
            } else {
                rows.addAll(found);
            }
        });
        return rows;
    }

    /**
     * Returns where a row is read that the application asks for. A UUID that names no shard is looked for in all
     * shards of the open scope.
     */
    private @Nullable Target asked(SharedSessionContractImplementor session, Object id) {
        if (own == null) {
            return byId(id);
        }
        Target found = own.ofAsked(session, id);
        return found == null ? ShardContext.target() : found;
    }
}
