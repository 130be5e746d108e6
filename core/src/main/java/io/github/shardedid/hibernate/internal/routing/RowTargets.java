package io.github.shardedid.hibernate.internal.routing;

import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.routing.MisplacedIdException;
import io.github.shardedid.routing.Target;
import java.util.List;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;

/** The targets of rows: the shard that the id of a row names, or the global database. */
public final class RowTargets {
    private RowTargets() {}

    /** The target of a row that is written; null for a row of a sharded entity that has no id yet. */
    public static Target.@Nullable Single ofWrite(
            Sharding sharding,
            SharedSessionContractImplementor session,
            @Nullable String entityName,
            @Nullable Object id) {
        ShardedMapping own = sharding.mappings().findOwnId(entityName);
        return own == null
                ? byId(sharding, entityName, id)
                : id == null ? null : new RowShards(sharding).ofWrite(session, own, id);
    }

    /** The target of a row that is read; null if the scope that is open remains. */
    static Target.@Nullable Single ofRead(
            Sharding sharding, SharedSessionContractImplementor session, String entityName, Object id) {
        ShardedMapping own = sharding.mappings().findOwnId(entityName);
        return own == null ? byId(sharding, entityName, id) : new RowShards(sharding).ofRead(session, own, id);
    }

    private static Target.@Nullable Single byId(Sharding sharding, @Nullable String entityName, @Nullable Object id) {
        if (sharding.mappings().isGlobal(entityName)) {
            return Target.global();
        }
        Integer shard = IdShards.shardOf(sharding, entityName, id);
        return shard != null ? Target.shard(shard) : ofAuditTable(sharding, entityName, id);
    }

    /** A row of an audit table is in the shard of the audited row, as its revision is. Null for other entities. */
    private static Target.@Nullable Single ofAuditTable(
            Sharding sharding, @Nullable String entityName, @Nullable Object id) {
        List<Number> ids = sharding.mappings().auditTables().shardedIds(entityName, id);
        Target.Single target = null;
        for (Number each : ids) {
            Target.Single next = Target.shard(sharding.cluster().shardOf(each.longValue()));
            if (target != null && !target.equals(next)) {
                throw new MisplacedIdException("A row of " + entityName + " contains ids of several shards: " + ids
                        + ". A revision audits the rows of its own shard. Nothing of the row was sent.");
            }
            target = next;
        }
        return target;
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
}
