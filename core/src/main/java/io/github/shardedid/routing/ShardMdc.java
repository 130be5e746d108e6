package io.github.shardedid.routing;

import io.github.shardedid.routing.internal.connection.LoggedTarget;
import io.github.shardedid.topology.GlobalDatabase;

/**
 * Has log lines name the shard and the database for which a thread works, by SLF4J's MDC, until it is closed: within the scope of
 * a {@link ShardContext}, and while a statement is executed. What was there before a scope or a statement is there again
 * afterwards. A query over several shards names them, as ranges, on the threads that execute its statements.
 *
 * <p>Where several are open at once, for several data sources, a scope names the shard alone, since it does not know which of them
 * will be asked; statements name both. Safe for use by several threads.
 */
public final class ShardMdc implements AutoCloseable {
    /** The key of the shard's number; of several shards, their ranges. Absent for global entities. */
    public static final String SHARD = LoggedTarget.SHARD;

    /** The key of the database's name. */
    public static final String DATABASE = LoggedTarget.DATABASE;

    private final LoggedTarget.Source source;

    private ShardMdc(LoggedTarget.Source source) {
        this.source = source;
    }

    /**
     * Starts to name the shards of a data source.
     *
     * @param dataSource whose shards are named
     * @return what ends it when it is closed
     */
    public static ShardMdc of(RoutingDataSource dataSource) {
        GlobalDatabase global = dataSource.global();
        LoggedTarget.Source source =
                new LoggedTarget.Source(dataSource.cluster().map()::get, global == null ? null : global.database());
        synchronized (ShardMdc.class) {
            LoggedTarget.add(source);
            ShardContext.observe(LoggedTarget::show);
        }
        return new ShardMdc(source);
    }

    /** Ends it for scopes that are opened, and statements that are executed, from now on. */
    @Override
    public void close() {
        synchronized (ShardMdc.class) {
            LoggedTarget.remove(source);
            if (!LoggedTarget.isOn()) {
                ShardContext.observe(null);
            }
        }
    }
}
