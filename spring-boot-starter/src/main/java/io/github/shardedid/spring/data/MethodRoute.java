package io.github.shardedid.spring.data;

import io.github.shardedid.hibernate.ShardRule;
import io.github.shardedid.id.MalformedIdException;
import io.github.shardedid.topology.UnknownShardException;
import org.jspecify.annotations.Nullable;

/** How the calls of one repository method tell their shard; found once per method. Safe for use by several threads. */
@FunctionalInterface
interface MethodRoute {
    /** The call goes on as it is. */
    MethodRoute AS_IT_IS = arguments -> Destination.AS_IT_IS;

    Destination of(@Nullable Object[] arguments);

    /**
     * Where a value leads by a rule: an id that no shard can have made is "not found" for a read, an error for a write.
     */
    static Destination byValue(ShardRule rule, Object value, boolean write) {
        try {
            return new Destination.ToShard(rule.shardOf(value));
        } catch (UnknownShardException | MalformedIdException noSuchRow) {
            if (write) {
                throw noSuchRow;
            }
            return new Destination.ToNothing(noSuchRow);
        }
    }
}
