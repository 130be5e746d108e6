package io.github.shardedid.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Before PostgreSQL 16, a role that is no superuser moves shards online, too: the mover applies the changes, each once. */
@Tag("versions")
@Tag("embedded-only")
class AppliedMovesIntegrationTests {
    private static final int SHARD = 0;

    private final ReleasesCluster cluster = new ReleasesCluster(List.of(15, 15));

    /** Not an error that was foreseen. */
    private static final class Killed extends Error {
        private static final long serialVersionUID = 1;
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void aMoveThatDiesAtAStepIsResumedAndNothingIsLostOrDoubled() {
        try (ReleasesLoad load = new ReleasesLoad(cluster.routed(), SHARD)) {
            for (MoveStep step : Stream.of(MoveStep.values())
                    .filter(each -> each.compareTo(MoveStep.CLEAN_UP) <= 0)
                    .toList()) {
                MoveOptions dying = MoveOptions.DEFAULT.withListener(progress -> {
                    if (progress.step() == step) {
                        throw new Killed();
                    }
                });
                String target = other();
                assertThatThrownBy(() -> cluster.mover(cluster.sources(), dying).move(SHARD, target))
                        .isInstanceOf(Killed.class);
                resume(target);
            }
            load.verify(cluster);
        }
        assertThat(cluster.leftovers()).isEmpty();
    }

    @Test
    void changesAreAppliedOnceThoughTheMoverDiesBeforeTheSlotIsAdvanced() {
        try (ReleasesLoad load = new ReleasesLoad(cluster.routed(), SHARD)) {
            for (boolean after : List.of(false, true)) {
                await().until(() -> load.size() > 5);
                SourcesDyingAt dying = new SourcesDyingAt(cluster.sources(), "pg_replication_slot_advance", after);
                String target = other();
                assertThatThrownBy(() -> cluster.mover(dying.sources(), MoveOptions.DEFAULT)
                                .move(SHARD, target))
                        .isInstanceOf(MoveUnfinishedException.class);
                assertThat(dying.dead()).isTrue();
                resume(target);
            }
            load.verify(cluster);
        }
        assertThat(cluster.leftovers()).isEmpty();
    }

    @Test
    void anAbortLeavesNothing() {
        try (ReleasesLoad load = new ReleasesLoad(cluster.routed(), SHARD)) {
            MoveOptions dying = MoveOptions.DEFAULT.withListener(progress -> {
                if (progress.step() == MoveStep.FENCE) {
                    throw new Killed();
                }
            });
            assertThatThrownBy(() -> cluster.mover(cluster.sources(), dying).move(SHARD, "pg15b"))
                    .isInstanceOf(Killed.class);
            assertThat(cluster.mover().abort(SHARD).failure()).isNull();
            assertThat(cluster.homeOf(SHARD)).isEqualTo("pg15");
            load.verify(cluster);
        }
        assertThat(cluster.leftovers()).isEmpty();
    }

    @Test
    void partitionedTablesWithForeignKeysAreRefusedByName() {
        cluster.database("pg15")
                .execute("ALTER TABLE shard_0000.visit ADD photo_id bigint REFERENCES shard_0000.photo");
        assertThat(cluster.mover().check(SHARD, "pg15b"))
                .anyMatch(line -> line.contains("partitioned tables with foreign keys: visit"));
    }

    private String other() {
        return cluster.homeOf(SHARD).equals("pg15") ? "pg15b" : "pg15";
    }

    private void resume(String target) {
        Move done = await().ignoreExceptionsMatching(MovingCluster::busy)
                .until(() -> cluster.mover().resume(SHARD), move -> true);
        assertThat(done.step()).isEqualTo(MoveStep.DONE);
        assertThat(cluster.homeOf(SHARD)).isEqualTo(target);
        cluster.mover().dropOldCopy(SHARD, done.source());
    }
}
