package io.github.shardedid.boot.autoconfigure;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;

/**
 * The physical databases' own data sources by name. Held together in one bean, because the application's data source is
 * the one that routes. Immutable and safe for use by several threads.
 */
public final class ShardedDatabases implements AutoCloseable {
    private final Map<String, DataSource> byName;
    private final Map<String, DataSource> readPools;
    private final Map<String, List<DataSource>> replicas;
    private final Map<String, DataSource> forMap;

    /**
     * Takes over data sources, without read pools.
     *
     * @param byName the data sources by the names in {@code sharded-id.databases}, usually pools, whose connections are in
     *     autocommit and have a current schema that does not exist. Those that can be closed are closed with this
     */
    public ShardedDatabases(Map<String, ? extends DataSource> byName) {
        this(byName, Map.of());
    }

    /**
     * Takes over data sources.
     *
     * @param byName the data sources by the names in {@code sharded-id.databases}, usually pools, whose connections are in
     *     autocommit and have a current schema that does not exist. Those that can be closed are closed with this
     * @param readPools second data sources of the same kind by the same names, of some databases or all, for what
     *     transactions read beside their writes; closed with this, too
     */
    public ShardedDatabases(Map<String, ? extends DataSource> byName, Map<String, ? extends DataSource> readPools) {
        this(byName, readPools, Map.of());
    }

    /**
     * Takes over data sources.
     *
     * @param byName the data sources by the names in {@code sharded-id.databases}, usually pools, whose connections are in
     *     autocommit and have a current schema that does not exist. Those that can be closed are closed with this
     * @param readPools second data sources of the same kind by the same names, of some databases or all, for what
     *     transactions read beside their writes; closed with this, too
     * @param replicas data sources of the same kind of hot standbys of databases, by the same names; closed with this, too
     */
    public ShardedDatabases(
            Map<String, ? extends DataSource> byName,
            Map<String, ? extends DataSource> readPools,
            Map<String, ? extends List<? extends DataSource>> replicas) {
        this(byName, readPools, replicas, Map.of());
    }

    /**
     * Takes over data sources.
     *
     * @param byName the data sources by the names in {@code sharded-id.databases}, usually pools, whose connections are in
     *     autocommit and have a current schema that does not exist. Those that can be closed are closed with this
     * @param readPools second data sources of the same kind by the same names, of some databases or all, for what
     *     transactions read beside their writes; closed with this, too
     * @param replicas data sources of the same kind of hot standbys of databases, by the same names; closed with this, too
     * @param forMap data sources of the same kind by the same names, for the shard map: one connection of each is held as long
     *     as the application runs. A database without one uses its first data source; closed with this, too
     */
    public ShardedDatabases(
            Map<String, ? extends DataSource> byName,
            Map<String, ? extends DataSource> readPools,
            Map<String, ? extends List<? extends DataSource>> replicas,
            Map<String, ? extends DataSource> forMap) {
        Map<String, List<DataSource>> copy = new LinkedHashMap<>();
        replicas.forEach((name, sources) -> copy.put(name, List.copyOf(sources)));
        this.replicas = Collections.unmodifiableMap(copy);
        this.byName = Collections.unmodifiableMap(new LinkedHashMap<>(byName));
        this.readPools = Collections.unmodifiableMap(new LinkedHashMap<>(readPools));
        Map<String, DataSource> ofMap = new LinkedHashMap<>(byName);
        ofMap.putAll(forMap);
        this.forMap = Collections.unmodifiableMap(ofMap);
    }

    /**
     * The data sources.
     *
     * @return by database name, in configured order
     */
    public Map<String, DataSource> byName() {
        return byName;
    }

    /**
     * The second data sources, for what transactions read beside their writes.
     *
     * @return by database name; perhaps not for all, perhaps for none
     */
    public Map<String, DataSource> readPools() {
        return readPools;
    }

    /**
     * The data sources of the databases' replicas.
     *
     * @return by database name, in configured order; perhaps not for all, perhaps for none
     */
    public Map<String, List<DataSource>> replicas() {
        return replicas;
    }

    /**
     * The data sources by which the shard map is read and kept fresh.
     *
     * @return by database name, for all of them
     */
    public Map<String, DataSource> forMap() {
        return forMap;
    }

    /** Closes all that can be closed; the first failure is thrown once the others are closed, too. */
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
        all.addAll(readPools.values());
        replicas.values().forEach(all::addAll);
        return all;
    }
}
