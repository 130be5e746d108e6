package io.github.shardedid.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.id.IdLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Who may use which ids of the table photo in the shards of a cluster: the database by having made them, JVMs by leases, of
 * which every id counts as made. No id may be claimed twice.
 */
final class IdClaims {
    private static final IdLayout WHOLE = IdLayout.DEFAULT.withJvmNodes(0);

    /** A part of the sequence in a window of timestamps. */
    private record Claim(int shard, int first, int last, long start, long end) {
        boolean contains(int ofShard, int sequence, long stamp) {
            return shard == ofShard && first <= sequence && sequence <= last && start <= stamp && stamp < end;
        }

        boolean overlaps(Claim other) {
            return shard == other.shard
                    && first <= other.last
                    && other.first <= last
                    && start < other.end
                    && other.start < end;
        }
    }

    private final NodesCluster cluster;
    private final List<Claim> leases = new ArrayList<>();
    private final Set<Long> made = new HashSet<>();

    IdClaims(NodesCluster cluster) {
        this.cluster = cluster;
    }

    /** The database makes some ids of a shard, which must be nobody's. */
    void make(int shard, int count) {
        String schema = NodesCluster.schema(shard);
        for (String text : cluster.home(shard)
                .query("SELECT " + schema + ".next_ids('" + schema + ".photo_id_seq', " + count + ")")) {
            long id = Long.parseLong(text);
            assertThat(made.add(id)).as("%s is made for the first time", id).isTrue();
            int sequence = WHOLE.decode(id).sequence();
            assertThat(leases).noneMatch(lease -> lease.contains(shard, sequence, stampOf(id)));
        }
    }

    /** Somebody takes a lease if there is one; whether there was. */
    boolean lease(int shard, int nodes, int steps) {
        String schema = NodesCluster.schema(shard);
        List<String> answer = cluster.home(shard)
                .query("SELECT node || ' ' || window_start || ' ' || window_end FROM " + schema + ".lease_node('"
                        + UUID.randomUUID() + "', NULL, " + nodes + ", " + steps + ")");
        if (answer.get(0).equals("null")) {
            return false;
        }
        List<Long> fields =
                Stream.of(answer.get(0).split(" ", -1)).map(Long::valueOf).toList();
        int per = IdLayout.DEFAULT.withJvmNodes(nodes).sequencesPerNode();
        int first = 512 + fields.get(0).intValue() * per;
        Claim lease = new Claim(shard, first, first + per - 1, fields.get(1), fields.get(2));
        assertThat(leases).noneMatch(lease::overlaps);
        assertThat(made)
                .noneMatch(
                        id -> lease.contains(WHOLE.shardOf(id), WHOLE.decode(id).sequence(), stampOf(id)));
        leases.add(lease);
        return true;
    }

    private static long stampOf(long id) {
        return id >> (WHOLE.shardBits() + WHOLE.sequenceBits());
    }
}
