package io.github.shardedid.provisioning;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.ProvisionedCopies;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardRanges;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** Databases under configured names, with the ranges of shards that each shall get. */
record TestCluster(IdLayout layout, int shardCount, Map<String, TestDatabase> databases, Map<String, String> ranges) {
    static final String GOOD = "classpath:db/provisioning/good";
    static final String LATER = "classpath:db/provisioning/later";
    static final String BROKEN = "classpath:db/provisioning/broken";

    /** Every object that may matter, with the contents of the cluster's own tables. */
    private static final String CATALOG =
            """
            SELECT 'schema ' || nspname FROM pg_namespace WHERE nspname NOT LIKE 'pg\\_%'
            UNION ALL SELECT 'relation ' || c.oid || ' ' || c.oid::regclass || ' ' || c.relkind::text
              FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
              WHERE nspname NOT LIKE 'pg\\_%' AND nspname <> 'information_schema'
            UNION ALL SELECT 'function ' || p.oid || ' ' || p.xmin || ' ' || p.oid::regprocedure || prosrc
              FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace
              WHERE nspname NOT LIKE 'pg\\_%' AND nspname <> 'information_schema'
            ORDER BY 1
            """;

    /** Two databases on two servers, six shards. */
    static TestCluster ofTwo() {
        return new TestCluster(IdLayout.DEFAULT, 6, new TreeMap<>(), new LinkedHashMap<>())
                .with("pg1", PostgresServers.shared(1).newDatabase(), "0-3")
                .with("pg2", PostgresServers.shared(2).newDatabase(), "4-5");
    }

    /** One database with all shards. */
    static TestCluster ofOne(IdLayout layout, int shardCount) {
        return new TestCluster(layout, shardCount, new TreeMap<>(), new LinkedHashMap<>())
                .with("pg1", PostgresServers.shared(1).newDatabase(), "0-" + (shardCount - 1));
    }

    /** Databases pg1, pg2 … with these ranges and the good scripts: copies of a cluster that is provisioned once per JVM. */
    static TestCluster provisioned(IdLayout layout, int shardCount, String... ranges) {
        TestCluster none = new TestCluster(layout, shardCount, new TreeMap<>(), new LinkedHashMap<>());
        return none.on(
                ProvisionedCopies.make(
                        List.of(TestCluster.class, layout, shardCount, List.of(ranges)),
                        ranges.length,
                        empty -> none.on(empty, ranges).provision(GOOD)),
                ranges);
    }

    private TestCluster on(List<TestDatabase> all, String... itsRanges) {
        TestCluster cluster = this;
        for (int i = 0; i < itsRanges.length; i++) {
            cluster = cluster.with("pg" + (i + 1), all.get(i), itsRanges[i]);
        }
        return cluster;
    }

    TestCluster with(String name, TestDatabase database, String range) {
        Map<String, TestDatabase> more = new TreeMap<>(databases);
        more.put(name, database);
        Map<String, String> moreRanges = new LinkedHashMap<>(ranges);
        moreRanges.put(name, range);
        return new TestCluster(layout, shardCount, more, moreRanges);
    }

    TestCluster without(String name) {
        Map<String, TestDatabase> fewer = new TreeMap<>(databases);
        fewer.remove(name);
        Map<String, String> fewerRanges = new LinkedHashMap<>(ranges);
        fewerRanges.remove(name);
        return new TestCluster(layout, shardCount, fewer, fewerRanges);
    }

    TestCluster with(IdLayout other, int shards) {
        return new TestCluster(other, shards, databases, ranges);
    }

    TestDatabase database(String name) {
        TestDatabase database = databases.get(name);
        if (database == null) {
            throw new IllegalArgumentException(name);
        }
        return database;
    }

    ClusterDefinition definition() {
        Map<String, ShardRanges> initial = new LinkedHashMap<>();
        ranges.forEach((name, range) -> initial.put(name, ShardRanges.parse(range)));
        return new ClusterDefinition(layout, shardCount, initial);
    }

    Map<String, DataSource> sources() {
        return databases.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue()
                .dataSource()));
    }

    void provision(String... locations) {
        provisioner(sources(), locations).provision();
    }

    /** At the layout's own time, so that any layout will do. */
    Provisioner provisioner(Map<String, DataSource> sources, String... locations) {
        return new Provisioner(definition(), sources, migrations(locations), layout::epoch);
    }

    /** Flyway's scripts, or one change log of Liquibase. */
    static ShardMigrations migrations(String... locations) {
        if (locations.length == 0) {
            return ShardMigrations.none();
        }
        return locations[0].endsWith(".yaml")
                ? ShardMigrations.of(ChangeLog.at(locations[0]))
                : ShardMigrations.at(locations);
    }

    ShardMap map() {
        return new DatabaseShardMapSource(definition(), sources()).load();
    }

    /** All that provisioning could change, in all databases that run. */
    Map<String, List<String>> dump() {
        Map<String, List<String>> dump = new TreeMap<>();
        databases.forEach((name, database) -> {
            dump.put(name, database.query(CATALOG));
            if (database.queryLong("SELECT count(to_regclass('sharded_id.shard'))") == 1) {
                dump.put(name + " cluster", database.query("SELECT t::text FROM sharded_id.cluster t"));
                dump.put(name + " shards", database.query("SELECT t::text FROM sharded_id.shard t ORDER BY shard"));
            }
        });
        return dump;
    }
}
