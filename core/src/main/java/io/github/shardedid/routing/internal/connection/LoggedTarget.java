package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.RoutingListener.Watch;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.Target;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardRanges;
import io.github.shardedid.topology.UnknownShardException;
import io.github.shardedid.topology.UnownedShardException;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Keeps SLF4J's MDC to the scope that is open on a thread, and to what is executed on it, while somebody wants that. Scopes know no
 * cluster: the database of a shard is logged as long as there is one data source only that could have been meant. What is executed knows
 * its database in any case.
 */
public final class LoggedTarget {
    /** The key of the shard's number; of several shards, their ranges. */
    public static final String SHARD = "shardedId.shard";

    /** The key of the database's name. */
    public static final String DATABASE = "shardedId.database";

    private static final CopyOnWriteArrayList<Source> SOURCES = new CopyOnWriteArrayList<>();
    private static volatile boolean on;

    private LoggedTarget() {}

    /**
     * Whose shards are named.
     *
     * @param map where they live now
     * @param global the database of the global entities, or null
     */
    public record Source(Supplier<ShardMap> map, @Nullable String global) {}

    /** Begins to name shards. */
    public static synchronized void add(Source source) {
        SOURCES.add(source);
        on = true;
    }

    /** No longer names the shards of a source; what is in the MDC of other threads stays until their scopes end. */
    @SuppressWarnings("ReferenceEquality") // of two that are equal, one
    public static synchronized void remove(Source source) {
        SOURCES.removeIf(each -> each == source);
        on = !SOURCES.isEmpty();
    }

    /** Whether anybody wants it: all that a scope costs otherwise. */
    public static boolean isOn() {
        return on;
    }

    /** A thread's target has become another one; null for none. */
    public static void show(@Nullable Target target) {
        if (target instanceof Target.Shard shard) {
            show(Integer.toString(shard.number()), databaseOf(shard.number()));
        } else if (target instanceof Target.Global) {
            Source source = source();
            show(null, source == null ? null : source.global());
        } else {
            show(null, null);
        }
    }

    private static void show(@Nullable String shard, @Nullable String database) {
        put(SHARD, shard);
        put(DATABASE, database);
    }

    private static void put(String key, @Nullable String value) {
        if (value == null) {
            MDC.remove(key);
        } else {
            MDC.put(key, value);
        }
    }

    private static @Nullable Source source() {
        Source only = null;
        for (Source each : SOURCES) {
            if (only != null) {
                return null;
            }
            only = each;
        }
        return only;
    }

    private static @Nullable String databaseOf(int shard) {
        Source source = source();
        try {
            return source == null ? null : source.map().get().databaseOf(shard);
        } catch (UnownedShardException | UnknownShardException e) {
            return null; // the first statement says so
        }
    }

    /** While a statement is executed. As a rule its scope has said it all. */
    static Watch during(Target.Single target, String database) {
        boolean said = target.equals(ShardContext.target()) && database.equals(MDC.get(DATABASE));
        return said
                ? Watch.NONE
                : restoring(target instanceof Target.Shard shard ? Integer.toString(shard.number()) : null, database);
    }

    /** While a statement for several shards is executed. */
    static Watch during(ShardRanges shards, String database) {
        return restoring(shards.toString(), database);
    }

    private static Watch restoring(@Nullable String shard, String database) {
        String shardBefore = MDC.get(SHARD);
        String databaseBefore = MDC.get(DATABASE);
        if (Objects.equals(shard, shardBefore) && database.equals(databaseBefore)) {
            return Watch.NONE;
        }
        show(shard, database);
        return new Watch() {
            @Override
            public void close() {
                show(shardBefore, databaseBefore);
            }
        };
    }
}
