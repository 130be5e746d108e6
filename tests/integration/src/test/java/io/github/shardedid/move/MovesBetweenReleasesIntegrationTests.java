package io.github.shardedid.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A shard moves up and down all releases of PostgreSQL while it is written, by a role that is no superuser anywhere: offline to a
 * release in which only superusers create subscriptions.
 */
@Tag("versions")
@Tag("embedded-only")
class MovesBetweenReleasesIntegrationTests {
    private static final List<Integer> RELEASES = List.of(15, 16, 17, 18);

    @Test
    void aShardMovesBetweenNeighbouringReleasesInBothDirectionsAndNoCallFails() {
        try (ReleasesCluster cluster = new ReleasesCluster(RELEASES);
                ReleasesLoad load = new ReleasesLoad(cluster.routed(), 0)) {
            List<Integer> way = Stream.concat(
                            RELEASES.stream().skip(1),
                            IntStream.iterate(RELEASES.size() - 2, i -> i >= 0, i -> i - 1)
                                    .mapToObj(RELEASES::get))
                    .toList();
            for (int release : way) {
                int before = load.size();
                await().until(() -> load.size() > before + 20);
                String target = ReleasesCluster.nameOf(release);
                Move move = release >= ReleasesCluster.SUBSCRIBE_ROLE_SINCE
                        ? online(cluster, target)
                        : offline(cluster, target);
                cluster.mover().dropOldCopy(0, move.source());
            }
            load.verify(cluster);
            assertThat(cluster.leftovers()).isEmpty();
        }
    }

    private static Move online(ReleasesCluster cluster, String target) {
        assertThat(cluster.mover().check(0, target)).as(target).isEmpty();
        return cluster.mover().move(0, target);
    }

    private static Move offline(ReleasesCluster cluster, String target) {
        assertThat(cluster.mover().check(0, target))
                .singleElement()
                .asString()
                .contains("only superusers subscribe", "An offline move is possible");
        return cluster.mover().moveOffline(0, target);
    }
}
