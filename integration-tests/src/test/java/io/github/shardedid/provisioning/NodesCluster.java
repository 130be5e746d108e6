package io.github.shardedid.provisioning;

import io.github.shardedid.id.DecodedId;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.provisioning.internal.nodes.NodesChange;
import io.github.shardedid.provisioning.nodes.JvmNodesChange;
import io.github.shardedid.test.ClockSeam;
import io.github.shardedid.test.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;

/** Two shards on two databases, whose number of JVM nodes a test changes. */
record NodesCluster(TestCluster databases) {
    static final List<String> NAMES = List.of("pg1", "pg2");
    static final Duration PLENTY = Duration.ofMinutes(2);

    static NodesCluster of(int nodes) {
        return new NodesCluster(TestCluster.provisioned(IdLayout.DEFAULT.withJvmNodes(nodes), 2, "0", "1"));
    }

    void change(int nodes, Duration wait) {
        new JvmNodesChange(databases.definition(), databases.sources()).run(nodes, wait);
    }

    /** The same for databases on a clock that the test sets. */
    void changeOnClockSeam(int nodes, Map<String, DataSource> sources) {
        new NodesChange(databases.definition(), sources, ClockSeam.CLOCK).run(nodes, PLENTY);
    }

    void installClockSeam() {
        databases.databases().values().forEach(ClockSeam::install);
    }

    /** Sets the clocks of both databases. */
    void setClock(Duration offset) {
        databases.databases().values().forEach(database -> ClockSeam.set(database, offset));
    }

    /** What an instance of the application does at its start. */
    void start(int nodes) {
        databases.with(IdLayout.DEFAULT.withJvmNodes(nodes), 2).provision(TestCluster.GOOD);
    }

    TestDatabase home(int shard) {
        return databases.database(NAMES.get(shard));
    }

    /** {@code jvm_nodes → changing_to} of both databases. */
    List<String> stored() {
        return NAMES.stream()
                .flatMap(name -> databases
                        .database(name)
                        .query("SELECT jvm_nodes || coalesce(' → ' || changing_to, '') FROM sharded_id.cluster")
                        .stream())
                .toList();
    }

    long earliest(int shard) {
        return home(shard).queryLong("SELECT earliest FROM sharded_id.cluster");
    }

    /** Asks for a lease of a shard: why it was refused, or the first timestamp after its window. */
    String lease(int shard, int nodes, int steps) {
        return home(shard)
                .query("SELECT coalesce(refused, window_end::text) FROM " + schema(shard) + ".lease_node('"
                        + UUID.randomUUID() + "', NULL, " + nodes + ", " + steps + ")")
                .get(0);
    }

    List<DecodedId> nextIds(int shard, int count) {
        return home(shard)
                .query("SELECT " + schema(shard) + ".next_ids('" + schema(shard) + ".photo_id_seq', " + count + ")")
                .stream()
                .map(id -> IdLayout.DEFAULT.withJvmNodes(0).decode(Long.parseLong(id)))
                .toList();
    }

    /** The first timestamp at which a lease may begin. */
    long leasesFrom(int shard) {
        return home(shard).queryLong("SELECT window_end FROM " + schema(shard) + ".sharded_id_lease WHERE node = -1");
    }

    static String schema(int shard) {
        return "shard_000" + shard;
    }
}
