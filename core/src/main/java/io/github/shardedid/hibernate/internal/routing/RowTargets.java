package io.github.shardedid.hibernate.internal.routing;

import io.github.shardedid.hibernate.internal.mapping.IdPart;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.routing.Target;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;

/**
 * The targets of rows: the shard that the id of a row names, or the global database.
 *
 * <p>An id is decoded, and nothing is read. It names a shard directly, by a part of it, or by the id of another
 * entity that the part refers to, whose own id may be composite again. Rows whose ids name none are the subject of
 * {@link UnroutableIds}.
 */
public final class RowTargets {
    private RowTargets() {}

    /**
     * Returns the target of a row that is written; null for a row of a sharded entity that has no id yet.
     *
     * @throws io.github.shardedid.routing.NoShardException if the id names no shard, and the session does not know
     *     the row
     */
    public static Target.@Nullable Single ofWrite(
            Sharding sharding,
            SharedSessionContractImplementor session,
            @Nullable String entityName,
            @Nullable Object id) {
        if (sharding.mappings().auditTables().isTable(entityName)) {
            return Target.shard(ShardChoice.ofTransaction(sharding, session));
        }
        UnroutableIds.Rows own = sharding.unroutable(entityName);
        return own == null ? byId(sharding, entityName, id) : id == null ? null : own.ofWrite(session, id);
    }

    /** Returns the target that an id names; null if it names none, so that the scope that is open remains. */
    static Target.@Nullable Single byId(Sharding sharding, @Nullable String entityName, @Nullable Object id) {
        if (sharding.mappings().isGlobal(entityName)) {
            return Target.global();
        }
        Integer shard = shardOf(sharding, entityName, id);
        return shard == null ? null : Target.shard(shard);
    }

    /** A row as messages name it. */
    public static String row(String entityName, @Nullable Object id) {
        return entityName + "#" + id;
    }

    /** A new row as messages name it. One without a shard key may be meant for the shard of another row. */
    static String newRow(Sharding sharding, String entityName) {
        ShardedMapping mapping = sharding.mappings().find(entityName);
        return "a new " + entityName
                + (mapping == null || mapping.key() != null
                        ? ""
                        : " (it has no @ShardKey: to store it with another row, give it one, let a cascade from that row save it,"
                                + " or save both in ShardContext.run(shard, …))");
    }

    /**
     * The shard that an id names; null if the entity is not sharded, or the id is incomplete.
     *
     * @throws io.github.shardedid.topology.UnknownShardException if the cluster has no such shard
     */
    public static @Nullable Integer shardOf(Sharding sharding, @Nullable String entityName, @Nullable Object id) {
        Found found = find(sharding, entityName, id);
        if (found == null) {
            return null;
        }
        return found.part == null
                ? found.value instanceof Number number
                        ? (Integer) sharding.cluster().shardOf(number.longValue())
                        : null
                : (Integer) found.part.key().rule(sharding.cluster()).shardOf(found.value);
    }

    /** Returns whether no shard of this cluster can have generated an id. */
    static boolean cannotExist(Sharding sharding, String entityName, Object id) {
        Found found = find(sharding, entityName, id);
        return found != null
                && found.part == null
                && found.value instanceof Number number
                && !sharding.cluster().canHaveMade(number.longValue());
    }

    /**
     * The value that decides the shard.
     *
     * @param part null if the value is an id of the layout, whose bits decide
     */
    private record Found(@Nullable IdPart part, Object value) {}

    /**
     * Follows an id to the value that decides; null if the entity is not sharded, or a part is still null, as in
     * a new row.
     */
    private static @Nullable Found find(Sharding sharding, @Nullable String entityName, @Nullable Object id) {
        ShardedMapping mapping = sharding.mappings().find(entityName);
        Object value = id;
        while (mapping != null && mapping.idNamesShard() && value != null) {
            IdPart part = mapping.idPart();
            if (part == null) {
                return new Found(null, value);
            }
            value = part.of(value);
            String target = part.key().target();
            if (target == null) {
                return value == null ? null : new Found(part, value);
            }
            mapping = sharding.mappings().find(target);
        }
        return null;
    }
}
