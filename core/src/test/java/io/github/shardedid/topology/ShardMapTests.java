package io.github.shardedid.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.ClusterConfigurationException;
import io.github.shardedid.topology.ShardOwnership.Standing;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ShardMapTests {
    @Test
    void everyShardLivesOnTheDatabaseThatOwnsIt() {
        ShardMap map = map(3, owns(0, "pg1", 1), owns(1, "pg2", 1), owns(2, "pg1", 1));

        assertThat(map.shardCount()).isEqualTo(3);
        assertThat(map.databaseOf(0)).isEqualTo("pg1");
        assertThat(map.databaseOf(1)).isEqualTo("pg2");
        assertThat(map.shardsOf("pg1")).containsExactly(0, 2);
        assertThat(map.shardsOf("pg3")).isEmpty();
        assertThat(map.unownedShards()).isEmpty();
        assertThat(map.unreachableDatabases()).isEmpty();
    }

    @Test
    void theHigherGenerationWinsInWhateverOrderTheDatabasesAnswer() {
        List<ShardOwnership> claims = new ArrayList<>(List.of(owns(0, "pg1", 1), owns(0, "pg2", 1), owns(0, "pg3", 2)));
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 20; i++) {
            Collections.shuffle(claims, random);

            assertThat(new ShardMap(1, claims, Map.of()).databaseOf(0))
                    .as("seed %d", seed)
                    .isEqualTo("pg3");
        }
    }

    @Test
    void aFencedShardIsStillAtHomeWhereItWasAndIsKnownToBeFenced() {
        ShardMap map = map(
                2,
                owns(0, "pg1", 1),
                new ShardOwnership(1, "pg1", 4, Standing.FENCED),
                new ShardOwnership(1, "pg2", 3));

        assertThat(map.databaseOf(1)).isEqualTo("pg1");
        assertThat(map.isFenced(1)).isTrue();
        assertThat(map.generationOf(1)).isEqualTo(4);
        assertThat(map.isFenced(0)).isFalse();
        assertThat(map.isFenced(2)).isFalse();
        assertThat(map.generationOf(2)).isZero();
        assertThat(map).isNotEqualTo(map(2, owns(0, "pg1", 1), owns(1, "pg1", 4)));
    }

    @Test
    void whoHasLeftADatabaseIsAtHomeInTheOtherOne() {
        ShardOwnership left = new ShardOwnership(0, "pg1", 5, Standing.LEFT);

        ShardMap map = map(1, left, owns(0, "pg2", 5));

        assertThat(map.databaseOf(0)).isEqualTo("pg2");
        assertThat(map.isFenced(0)).isFalse();
    }

    @Test
    void aShardThatWasLeftWhileItsNewHomeWasAskedIsOnItsWay() {
        ShardMap map = map(1, new ShardOwnership(0, "pg1", 1, Standing.LEFT));

        assertThat(map.databaseOf(0)).isEqualTo("pg1");
        assertThat(map.isFenced(0)).isTrue();
    }

    @Test
    void whatIsStillLeftWhenAllWereAskedOnceMoreHasNoOwner() {
        ShardOwnership left = new ShardOwnership(0, "pg1", 1, Standing.LEFT, "pg2");
        ShardMap map = map(1, left);
        assertThat(map.isDoubtful()).isTrue();

        ShardMap lost = map(1, left).confirming(map, Set.of("pg1", "pg2"));

        assertThat(lost.isFenced(0)).isFalse();
        assertThat(lost.unownedShards()).containsExactly(0);
        assertThat(lost.problems())
                .containsExactly(
                        "No database owns shard 0: database pg1 handed over to database pg2, but no database has taken"
                                + " over. Check whether database pg2 was restored from a backup older than the move."
                                + " ShardMover.copies(0) shows the remaining copies and"
                                + " how to recover one. Other shards are not affected.");
        assertThat(lost).isNotEqualTo(map);
        assertThat(map(1, left).confirming(map, Set.of("pg1")).isFenced(0))
                .as("where pg2 is not configured")
                .isTrue();
        assertThat(map(1, left, owns(0, "pg2", 2))
                        .confirming(map, Set.of("pg1", "pg2"))
                        .databaseOf(0))
                .as("a move that was under way")
                .isEqualTo("pg2");
    }

    @Test
    void anOwnerIsNoneIfAnotherDatabaseHasLeftALaterGeneration() {
        ShardOwnership left = new ShardOwnership(0, "pg1", 3, Standing.LEFT);
        ShardOwnership restored = owns(0, "pg2", 2);

        assertThat(map(1, left, restored).isServedBy(0, "pg2")).isFalse();
        assertThat(new ShardMap(1, List.of(left, restored), Map.of("pg3", "down")).unownedShards())
                .containsExactly(0);
        assertThat(map(1, left, owns(0, "pg2", 4)).isServedBy(0, "pg2")).isTrue();
    }

    @Test
    void aCopyThatClaimsAnEarlierGenerationIsNamedWhenItIsSeenTwice() {
        ShardMap map = map(1, owns(0, "pg1", 1), owns(0, "pg2", 2));
        assertThat(map.isDoubtful()).isTrue();
        assertThat(map.problems()).isEmpty();

        ShardMap again = map(1, owns(0, "pg1", 1), owns(0, "pg2", 2)).confirming(map, Set.of("pg1", "pg2"));

        assertThat(again.databaseOf(0)).isEqualTo("pg2");
        assertThat(again.problems())
                .singleElement()
                .asString()
                .contains("pg1", "older copy", "ShardMover.recover(0, pg2)");
    }

    @Test
    void aShardThatWasLeftForADatabaseThatIsDownHasNoHome() {
        ShardMap map =
                new ShardMap(1, List.of(new ShardOwnership(0, "pg1", 1, Standing.LEFT)), Map.of("pg2", "refused"));

        assertThat(map.unownedShards()).containsExactly(0);
        assertThat(map.isFenced(0)).isFalse();
    }

    @Test
    void twoOwnersInOneGenerationAreRefusedWithBothNames() {
        assertThatThrownBy(() -> map(2, owns(0, "pg1", 1), owns(1, "pg1", 7), owns(1, "pg2", 7)))
                .hasFieldOrPropertyWithValue("reason", ClusterConfigurationException.Reason.SHARD_OWNERSHIP)
                .hasMessageContainingAll("Shard 1", "owned twice", "pg1", "pg2", "generation 7", "sharded_id.shard");
    }

    @Test
    void shardsWithoutAnOwnerAreRefusedWhenEveryDatabaseWasAsked() {
        assertThatThrownBy(() -> map(6, owns(1, "pg1", 1)))
                .hasFieldOrPropertyWithValue("reason", ClusterConfigurationException.Reason.SHARD_OWNERSHIP)
                .hasMessageContainingAll("No database owns", "0, 2-5", "5 of the cluster's 6 shards");
        assertThatThrownBy(() -> map(2, owns(1, "pg1", 1)))
                .hasFieldOrPropertyWithValue("reason", ClusterConfigurationException.Reason.SHARD_OWNERSHIP)
                .hasMessageContainingAll("No database owns 0", "1 of the cluster's 2 shards");
    }

    @Test
    void shardsOutsideTheClusterAreRefusedWithTheDatabaseThatOwnsThem() {
        for (int shard : new int[] {-1, 2}) {
            assertThatThrownBy(() -> map(2, owns(0, "pg1", 1), owns(1, "pg1", 1), owns(shard, "pg2", 4)))
                    .hasFieldOrPropertyWithValue("reason", ClusterConfigurationException.Reason.SHARD_OWNERSHIP)
                    .hasMessageContainingAll("pg2 owns shard " + shard, "2 shards, 0 to 1", "configured number")
                    .hasMessageNotContaining("ShardOwnership[");
        }
    }

    @Test
    void whileADatabaseIsUnreachableItsShardsAreUnownedAndNoOthers() {
        ShardMap map = new ShardMap(3, List.of(owns(1, "pg1", 1)), Map.of("pg2", "connection refused"));

        assertThat(map.databaseOf(1)).isEqualTo("pg1");
        assertThat(map.unownedShards()).containsExactly(0, 2);
        assertThat(map.unreachableDatabases()).containsExactly("pg2");
        assertThatThrownBy(() -> map.databaseOf(2))
                .isInstanceOf(UnownedShardException.class)
                .hasMessageContainingAll("shard 2", "pg2", "connection refused");
    }

    @Test
    void aMapOfAnUnreachableClusterHasNoHomesButItsShards() {
        ShardMap map = new ShardMap(2, List.of(), Map.of("pg1", "down"));

        assertThat(map.unownedShards()).containsExactly(0, 1);
        assertThatThrownBy(() -> map.databaseOf(2)).isInstanceOf(UnknownShardException.class);
    }

    @Test
    void unknownShardsAreRefusedWithTheNumbersThatThereAre() {
        ShardMap map = map(1, owns(0, "pg1", 1));

        for (int shard : new int[] {-1, 1, 8191}) {
            assertThatThrownBy(() -> map.databaseOf(shard))
                    .isInstanceOf(UnknownShardException.class)
                    .hasMessageContainingAll("no shard " + shard, "0 to 0");
        }
    }

    @Test
    void aClusterHasAtLeastOneShard() {
        for (int count : new int[] {0, -1}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> map(count))
                    .withMessageContainingAll("at least 1 shard", "not " + count);
        }
    }

    @Test
    void mapsAreEqualIfTheirHomesAndTheirUnreachableDatabasesAre() {
        ShardMap map = map(1, owns(0, "pg1", 1));

        assertThat(map).isEqualTo(map(1, owns(0, "pg1", 1))).hasSameHashCodeAs(map(1, owns(0, "pg1", 1)));
        assertThat(map).isNotEqualTo(map(1, owns(0, "pg2", 1)));
        assertThat(map).isNotEqualTo(map(1, owns(0, "pg1", 2)));
        assertThat(map).isNotEqualTo(new ShardMap(1, List.of(owns(0, "pg1", 1)), Map.of("pg2", "down")));
        assertThat(new ShardMap(1, List.of(), Map.of("pg1", "refused")))
                .as("the reason may differ")
                .isEqualTo(new ShardMap(1, List.of(), Map.of("pg1", "timed out")));
    }

    @Test
    void theEvenPlacementUsesEveryShardAndNoOther() {
        ShardMap map = new ShardMap(4, List.of(), Map.of("pg1", "down"));
        int[] rows = new int[4];
        for (int i = 0; i < 40_000; i++) {
            rows[ShardPlacement.even().shardFor("a user", map)]++;
        }

        // 10,000 each on average, with a standard deviation below 100.
        assertThat(rows).satisfies(counts -> {
            for (int count : counts) {
                assertThat(count).isBetween(9_200, 10_800);
            }
        });
    }

    private static ShardMap map(int shardCount, ShardOwnership... ownerships) {
        return new ShardMap(shardCount, List.of(ownerships), Map.of());
    }

    private static ShardOwnership owns(int shard, String database, long generation) {
        return new ShardOwnership(shard, database, generation);
    }
}
