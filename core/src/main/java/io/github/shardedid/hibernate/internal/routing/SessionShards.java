package io.github.shardedid.hibernate.internal.routing;

import io.github.shardedid.routing.Target;
import java.util.Set;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;

/** The shards of sessions: what has no scope of its own goes there. Safe for use by several threads. */
public interface SessionShards {
    /** Returns the shard of a session; null if it has none. */
    Target.@Nullable Single of(SharedSessionContractImplementor session);

    /** Returns whether the shard of a session is that of the rows of an entity which the session may read. */
    boolean haveRows(Class<?> entity);

    /**
     * Refuses a statement that is about to go to the shard of its session, and has rows which may be in any shard.
     *
     * @param tables those of the statement, which may have rows of several entities
     * @throws io.github.shardedid.routing.NoShardException if it has such rows
     */
    void check(SharedSessionContractImplementor session, Set<String> tables);
}
