package io.github.shardedid.hibernate.internal.routing;

import io.github.shardedid.routing.MisplacedIdException;
import io.github.shardedid.routing.Target;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The targets of rows: the shard that the id of a row names, or the global database. */
public final class RowTargets {
    private RowTargets() {}

    /** The target of a row; null for a row of a sharded entity that has no id yet. */
    public static Target.@Nullable Single of(Sharding sharding, @Nullable String entityName, @Nullable Object id) {
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
}
