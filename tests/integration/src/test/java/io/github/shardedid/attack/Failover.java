package io.github.shardedid.attack;

import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.awaitility.Awaitility;

/** An asynchronous standby of a cluster's only server, which loses touch and is promoted then. */
final class Failover implements AutoCloseable {
    private final AttackedCluster cluster;
    private final PostgresServer old;
    private final PostgresServer standby;

    Failover(AttackedCluster cluster) {
        this.cluster = cluster;
        this.old = cluster.databases().get(0).server();
        this.standby = PostgresServers.standbyOf(old);
    }

    /** What follows the first server in the workers' URLs. */
    String furtherHost() {
        return ",localhost:" + standby.port();
    }

    private TestDatabase replica() {
        return new TestDatabase(standby, cluster.databases().get(0).name());
    }

    /** From now on the standby hears of nothing. */
    void cut() {
        TestDatabase postgres = new TestDatabase(standby, "postgres");
        Awaitility.await().until(() -> postgres.queryLong("SELECT count(*) FROM pg_stat_wal_receiver") == 1);
        postgres.execute("ALTER SYSTEM SET primary_conninfo = ''");
        postgres.execute("SELECT pg_reload_conf()");
        Awaitility.await().until(() -> postgres.queryLong("SELECT count(*) FROM pg_stat_wal_receiver") == 0);
    }

    /** The old server dies, the standby takes its place; returns the leases that the standby had missed by then. */
    List<String> promote() {
        List<String> missed = missed();
        old.stop();
        replica().query("SELECT pg_promote(true, 60)");
        cluster.replace(0, standby);
        return missed;
    }

    /** How many leases JVMs hold. */
    int leases() {
        return leases(cluster.databases().get(0)).size();
    }

    /** The leases that the standby does not know of. */
    List<String> missed() {
        List<String> missed = leases(cluster.databases().get(0));
        missed.removeAll(leases(replica()));
        return missed;
    }

    private static List<String> leases(TestDatabase database) {
        List<String> leases = new ArrayList<>();
        for (int shard = 0; shard < Place.SHARDS; shard++) {
            leases.addAll(database.query("SELECT " + shard + " || ':' || node || ':' || holder FROM "
                    + new Place(shard, "sharded_id_lease").qualified() + " WHERE holder IS NOT NULL"));
        }
        return leases;
    }

    /** What the new server says to a JVM that asks for a node in each shard. */
    Set<String> answers() {
        Set<String> answers = new TreeSet<>();
        for (int shard = 0; shard < Place.SHARDS; shard++) {
            answers.addAll(replica()
                    .query("SELECT coalesce(refused, 'granted') FROM " + new Place(shard, "").schema()
                            + ".lease_node(gen_random_uuid(), NULL, 64, 1000)"));
        }
        return answers;
    }

    /** The ends of all windows granted by whichever server of each shard. */
    List<String> windows() {
        List<String> windows = new ArrayList<>();
        for (int shard = 0; shard < Place.SHARDS; shard++) {
            windows.addAll(replica()
                    .query("SELECT " + shard + " || ':' || coalesce(max(window_end), 0) FROM "
                            + new Place(shard, "sharded_id_lease").qualified() + " WHERE node >= 0"));
        }
        return windows;
    }

    @Override
    public void close() {
        standby.close();
    }
}
