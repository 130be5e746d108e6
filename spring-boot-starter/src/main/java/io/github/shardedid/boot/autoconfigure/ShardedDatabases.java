package io.github.shardedid.boot.autoconfigure;

import java.util.Collection;
import java.util.Collections;
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
 */
public final class ShardedDatabases implements AutoCloseable {
    private final Map<String, DataSource> byName;
    private final Map<String, DataSource> readPools;
    private final Map<String, List<DataSource>> replicas;
    private final Map<String, DataSource> forMap;
    private final Map<String, DataSource> direct;
    private final @Nullable DataSource global;

    /**
     * Creates an instance without read pools and replicas.
     *
     * @param byName the data sources by the names in {@code sharded-id.databases}, usually pools. Their connections must be in
     *     autocommit, with a current schema that does not exist. Closed with this instance if they can be closed
     */
    public ShardedDatabases(Map<String, ? extends DataSource> byName) {
        this(byName, Map.of(), Map.of(), Map.of());
    }

    /**
     * Creates an instance.
     *
     * @param byName the data sources by the names in {@code sharded-id.databases}, usually pools. Their connections must be in
     *     autocommit, with a current schema that does not exist. Closed with this instance if they can be closed
     * @param readPools additional data sources of some databases or all, for reads of transactions that hold another
     *     connection. Closed with this instance
     * @param replicas data sources of hot standbys, by the name of their database. Closed with this instance
     * @param forMap additional data sources for the shard map, which holds one connection of each permanently. Default for a
     *     database: its data source in {@code byName}. Closed with this instance
     */
    public ShardedDatabases(
            Map<String, ? extends DataSource> byName,
            Map<String, ? extends DataSource> readPools,
            Map<String, ? extends List<? extends DataSource>> replicas,
            Map<String, ? extends DataSource> forMap) {
        this(byName, readPools, replicas, forMap, Map.of());
    }

    /**
     * Creates an instance for databases behind poolers.
     *
     * @param byName the data sources by the names in {@code sharded-id.databases}, usually pools. Their connections must be in
     *     autocommit. Closed with this instance if they can be closed
     * @param readPools additional data sources of some databases or all, for reads of transactions that hold another
     *     connection. Closed with this instance
     * @param replicas data sources of hot standbys, by the name of their database. Closed with this instance
     * @param forMap additional data sources for the shard map, which holds one connection of each permanently. Default for a
     *     database: its data source in {@code direct}. Closed with this instance
     * @param direct data sources whose connections have sessions of their own, for provisioning, moves and commands. Default for
     *     a database: its data source in {@code byName}. Closed with this instance
     */
    public ShardedDatabases(
            Map<String, ? extends DataSource> byName,
            Map<String, ? extends DataSource> readPools,
            Map<String, ? extends List<? extends DataSource>> replicas,
            Map<String, ? extends DataSource> forMap,
            Map<String, ? extends DataSource> direct) {
        Map<String, List<DataSource>> copy = new LinkedHashMap<>();
        replicas.forEach((name, sources) -> copy.put(name, List.copyOf(sources)));
        this.replicas = Collections.unmodifiableMap(copy);
        this.byName = Collections.unmodifiableMap(new LinkedHashMap<>(byName));
        this.readPools = Collections.unmodifiableMap(new LinkedHashMap<>(readPools));
        this.direct = withDefaults(byName, direct);
        this.forMap = withDefaults(this.direct, forMap);
        this.global = null;
    }

    private ShardedDatabases(ShardedDatabases all, @Nullable DataSource global) {
        this.byName = all.byName;
        this.readPools = all.readPools;
        this.replicas = all.replicas;
        this.forMap = all.forMap;
        this.direct = all.direct;
        this.global = global;
    }

    /**
     * Adds a data source for the global database, which other libraries use for their tables.
     *
     * @param dataSource usually a pool. The current schema of its connections must be that of the global entities. Closed with the
     *     returned instance
     * @return a copy with that data source
     */
    public ShardedDatabases withGlobal(DataSource dataSource) {
        return new ShardedDatabases(this, dataSource);
    }

    private static Map<String, DataSource> withDefaults(
            Map<String, ? extends DataSource> defaults, Map<String, ? extends DataSource> own) {
        Map<String, DataSource> all = new LinkedHashMap<>(defaults);
        all.putAll(own);
        return Collections.unmodifiableMap(all);
    }

    /**
     * Returns the data sources.
     *
     * @return by database name, in configured order
     */
    public Map<String, DataSource> byName() {
        return byName;
    }

    /**
     * Returns the additional data sources for reads of transactions that hold another connection.
     *
     * @return by database name; some databases may have none
     */
    public Map<String, DataSource> readPools() {
        return readPools;
    }

    /**
     * Returns the data sources of read replicas.
     *
     * @return by database name, in configured order; some databases may have none
     */
    public Map<String, List<DataSource>> replicas() {
        return replicas;
    }

    /**
     * Returns the data sources that refresh the shard map.
     *
     * @return by database name, for all databases
     */
    public Map<String, DataSource> forMap() {
        return forMap;
    }

    /**
     * Returns the data sources whose connections have sessions of their own, for provisioning, moves and commands.
     *
     * @return by database name, for all databases
     */
    public Map<String, DataSource> direct() {
        return direct;
    }

    /**
     * Returns the data source of the global database for other libraries.
     *
     * @return the data source, or null if there is none
     */
    public @Nullable DataSource global() {
        return global;
    }

    /** Closes all data sources. Throws the first failure after the others have been closed. */
    @Override
    public void close() throws Exception {
        Exception first = null;
        for (DataSource source : all()) {
            try {
                if (source instanceof AutoCloseable closeable) {
                    closeable.close();
                }
            } catch (Exception e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }

    private Collection<DataSource> all() {
        Set<DataSource> all = new LinkedHashSet<>(byName.values());
        all.addAll(forMap.values());
        all.addAll(direct.values());
        all.addAll(readPools.values());
        replicas.values().forEach(all::addAll);
        if (global != null) {
            all.add(global);
        }
        return all;
    }
}
