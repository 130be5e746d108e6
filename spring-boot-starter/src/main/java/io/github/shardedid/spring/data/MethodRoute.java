package io.github.shardedid.spring.data;

import io.github.shardedid.hibernate.ShardRule;
import io.github.shardedid.id.MalformedIdException;
import io.github.shardedid.topology.UnknownShardException;
import org.jspecify.annotations.Nullable;

/** How the calls of one repository method tell their shard; found once per method. Safe for use by several threads. */
@FunctionalInterface
interface MethodRoute {
    /** The call proceeds unchanged. */
    MethodRoute AS_IT_IS = arguments -> CallTarget.AS_IT_IS;

    CallTarget of(@Nullable Object[] arguments);

    /**
     * Returns the target of a value by a rule. An id that no shard can have generated is "not found" for a read, an error for a
     * write.
     */
    static CallTarget byValue(ShardRule rule, Object value, boolean write) {
        try {
            return new CallTarget.ToShard(rule.shardOf(value));
        } catch (UnknownShardException | MalformedIdException noSuchRow) {
            if (write) {
                throw noSuchRow;
            }
            return new CallTarget.ToNothing(noSuchRow);
        }
    }
}
