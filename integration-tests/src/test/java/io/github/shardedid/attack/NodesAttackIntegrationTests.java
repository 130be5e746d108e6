package io.github.shardedid.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.provisioning.internal.nodes.NodesChange;
import io.github.shardedid.test.ClockSeam;
import io.github.shardedid.test.TestCluster;
import java.time.Duration;
import java.util.List;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The number of JVM nodes is changed under attack, in each direction, and no id comes twice. */
// What it finds does not depend on how the server is packaged.
@Tag("attack")
@Tag("embedded-only")
class NodesAttackIntegrationTests {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration CURSORS = Duration.ofSeconds(4);
    private static final List<Place> PHOTOS =
            Place.all().stream().filter(place -> place.table().equals("photo")).toList();
    private static final List<Place> REMARKS =
            Place.all().stream().filter(place -> place.table().equals("remark")).toList();

    private final long seed = System.nanoTime();

    @Test
    void fromSomeToOthers() throws Exception {
        try (TestCluster cluster = cluster(32);
                NodesAttack attack = NodesAttack.onSteppingClocks(cluster, seed)) {
            HandedIds old = begin(attack, 32);
            enough(old::upperHalf, Place.all());

            change(cluster, 16);

            HandedIds young = attack.jvm(16);
            attack.jvm(16);
            enough(young::upperHalf, Place.all());
            assertNoDuplicates(attack);
        }
    }

    /** The table remark is left to JVMs before, and to the database afterwards, on clocks that are behind. */
    @Test
    void fromSomeToNone() throws Exception {
        try (TestCluster cluster = cluster(32);
                NodesAttack attack = NodesAttack.onSteppingClocks(cluster, seed)) {
            HandedIds old = begin(attack, 32);
            enough(old::upperHalf, Place.all());

            change(cluster, 0);

            attack.clock(Duration.ofSeconds(-3));
            HandedIds remarks = attack.sql(REMARKS);
            HandedIds photos = attack.sql(PHOTOS);
            enough(remarks::upperHalf, REMARKS);
            enough(photos::upperHalf, PHOTOS);
            assertNoDuplicates(attack);
        }
    }

    /** Clocks have been ten minutes ahead, and show the same time once more afterwards. */
    @Test
    void fromNoneToSome() throws Exception {
        Duration ahead = Duration.ofMinutes(10);
        try (TestCluster cluster = cluster(0);
                NodesAttack attack = NodesAttack.onSteppingClocks(cluster, seed)) {
            long then = System.nanoTime();
            attack.clock(ahead);
            HandedIds early = attack.sql(Place.all());
            enough(early::upperHalf, Place.all());
            attack.clock(Duration.ZERO);
            HandedIds database = attack.database(Place.all());
            PHOTOS.forEach(place -> attack.cursor(place, CURSORS));
            enough(database::upperHalf, Place.all());

            change(cluster, 16);

            attack.clock(ahead.minusNanos(System.nanoTime() - then));
            HandedIds young = attack.jvm(16);
            attack.jvm(16);
            enough(young::upperHalf, Place.all());
            assertNoDuplicates(attack);
        }
    }

    private static TestCluster cluster(int nodes) {
        return new TestCluster(IdLayout.DEFAULT.withJvmNodes(nodes), Place.SHARDS, 2, "classpath:db/attack");
    }

    /** JVMs in all places, and in one table the others beside them. */
    private static HandedIds begin(NodesAttack attack, int nodes) {
        attack.jvm(nodes);
        attack.database(PHOTOS);
        attack.sql(PHOTOS);
        PHOTOS.forEach(place -> attack.cursor(place, CURSORS));
        return attack.jvm(nodes);
    }

    private static void change(TestCluster cluster, int nodes) {
        new NodesChange(cluster.definition(), cluster.sources(), ClockSeam.CLOCK).run(nodes, PATIENCE);
    }

    private static void enough(ToIntFunction<Place> count, List<Place> places) {
        await().atMost(PATIENCE).until(() -> places.stream().allMatch(place -> count.applyAsInt(place) > 5_000));
    }

    private void assertNoDuplicates(NodesAttack attack) throws Exception {
        assertThat(HandedIds.duplicates(attack.stop()))
                .as("duplicates, seed %s", seed)
                .isEmpty();
    }
}
