package io.github.shardedid.boot.autoconfigure;

import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The data sources of the physical databases, by name. They are one bean, because the data source bean of the application is the
 * routing one. Immutable and safe for use by several threads.
 *
 * @param byName the data sources by the names in {@code sharded-id.databases}, in configured order, usually pools. Their connections must
 *     be in autocommit, with a current schema that does not exist. All data sources are closed with this instance if they can be closed
 * @param readPools additional data sources of some databases or all, for reads of transactions that hold another connection
 * @param replicas data sources of hot standbys, by the name of their database, in configured order
 * @param direct data sources whose connections have sessions of their own, for provisioning, moves and commands. Default for a
 *     database: its data source in {@code byName}
 * @param forMap data sources for the shard map, which holds one connection of each permanently. Default for a database: its data
 *     source in {@code direct}
 * @param global the data source of the global database for other libraries; null if there is none. The current schema of its connections
 *     must be that of the global entities
 */
public record ShardedDatabases(
        Map<String, DataSource> byName,
        Map<String, DataSource> readPools,
        Map<String, List<DataSource>> replicas,
        Map<String, DataSource> direct,
        Map<String, DataSource> forMap,
        @Nullable DataSource global)
        implements AutoCloseable {
    /** Completes the defaults. */
    public ShardedDatabases {
        byName = merged(Map.of(), byName);
        readPools = merged(Map.of(), readPools);
        replicas = merged(Map.of(), replicas);
        direct = merged(byName, direct);
        forMap = merged(direct, forMap);
    }

    /**
     * Creates an instance without read pools and replicas.
     *
     * @param byName the data sources by the names in {@code sharded-id.databases}
     */
    public ShardedDatabases(Map<String, ? extends DataSource> byName) {
        this(merged(Map.of(), byName), Map.of(), Map.of(), Map.of(), Map.of(), null);
    }

    private static <T> Map<String, T> merged(Map<String, ? extends T> defaults, Map<String, ? extends T> own) {
        Map<String, T> all = new LinkedHashMap<>(defaults);
        all.putAll(own);
        return Collections.unmodifiableMap(all);
    }

    /**
     * Adds a data source for the global database, which other libraries use for their tables.
     *
     * @param dataSource usually a pool
     * @return a copy with that data source
     */
    public ShardedDatabases withGlobal(DataSource dataSource) {
        return new ShardedDatabases(byName, readPools, replicas, direct, forMap, dataSource);
    }

    /** Closes all data sources, the last one first. Throws the first failure after the others have been closed. */
    @Override
    public void close() throws Exception {
        Set<@Nullable DataSource> all = new LinkedHashSet<>(byName.values());
        all.addAll(forMap.values());
        all.addAll(direct.values());
        all.addAll(readPools.values());
        replicas.values().forEach(all::addAll);
        all.add(global);
        close(all.iterator());
    }

    private static void close(Iterator<@Nullable DataSource> rest) throws Exception {
        while (rest.hasNext()) {
            if (rest.next() instanceof AutoCloseable next) {
                try (next) {
                    close(rest);
                }
            }
        }
    }
}
