package io.github.shardedid.extensions;

import io.github.shardedid.routing.ShardContext;
import org.hibernate.search.mapper.pojo.massindexing.MassIndexingEnvironment;

/** Lets the threads of a mass indexer read a shard. */
record IndexedShard(int shard) implements MassIndexingEnvironment {
    private static final ThreadLocal<ShardContext.Scope> SCOPE = new ThreadLocal<>();

    @Override
    public void beforeExecution(Context context) {
        SCOPE.set(ShardContext.open(shard));
    }

    @Override
    public void afterExecution(Context context) {
        SCOPE.get().close();
        SCOPE.remove();
    }
}
