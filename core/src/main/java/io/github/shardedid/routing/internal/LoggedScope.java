package io.github.shardedid.routing.internal;

import io.github.shardedid.routing.RoutingListener.Watch;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardMdc;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.UnknownShardException;
import io.github.shardedid.topology.UnownedShardException;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Keeps SLF4J's MDC to the scope that is open on a thread, and to what is executed on it, while somebody wants that. Scopes know no
 * cluster: where a shard lives is told as long as there is one data source only that could have been meant. What is executed knows
 * its database in any case.
 */
public final class LoggedScope {
    private static final CopyOnWriteArrayList<Source> SOURCES = new CopyOnWriteArrayList<>();
    private static volatile boolean on;

    private LoggedScope() {}

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

    /** The scope of a shard is the innermost one now. */
    public static void enter(int shard) {
        show(Integer.toString(shard), databaseOf(shard));
    }

    /** The scope of the global database is. */
    public static void enterGlobal() {
        Source source = source();
        show(null, source == null ? null : source.global());
    }

    /** None is, or one of several shards. */
    public static void leave() {
        show(null, null);
    }

    private static void show(@Nullable String shard, @Nullable String database) {
        put(ShardMdc.SHARD, shard);
        put(ShardMdc.DATABASE, database);
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
    static Watch during(int place, String database) {
        boolean said =
                ShardContext.current().orElse(Place.GLOBAL) == place && database.equals(MDC.get(ShardMdc.DATABASE));
        return said ? Watch.NONE : restoring(place == Place.GLOBAL ? null : Integer.toString(place), database);
    }

    static Watch during(ShardChunks.Chunk chunk) {
        return restoring(ShardChunks.ranges(chunk.shards()).toString(), chunk.database());
    }

    private static Watch restoring(@Nullable String shard, String database) {
        String shardBefore = MDC.get(ShardMdc.SHARD);
        String databaseBefore = MDC.get(ShardMdc.DATABASE);
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
