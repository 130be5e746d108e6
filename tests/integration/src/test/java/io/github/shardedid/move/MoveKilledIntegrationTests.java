package io.github.shardedid.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.PostgresServers;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A mover that is killed at any step leaves a move that is resumed or aborted, and no row is lost. */
@Tag("embedded-only")
class MoveKilledIntegrationTests {
    private static final int STRIDE = 3;

    private final MovingCluster cluster = new MovingCluster();

    @AfterEach
    void drop() {
        cluster.close();
    }

    /** Nothing of the mover catches it. */
    private static final class Killed extends Error {
        private static final long serialVersionUID = 1;
    }

    private MoveOptions killedAt(MoveStep step) {
        return cluster.options().withListener(progress -> {
            if (progress.step() == step) {
                throw new Killed();
            }
        });
    }

    @Tag("attack")
    @Test
    void itIsResumedFromEveryStepAndMovesBackAndForth() {
        isResumedFrom(EnumSet.range(MoveStep.PREPARE, MoveStep.CLEAN_UP));
    }

    /** Before, during and after the copy, under the fence, and at the switch. */
    @Test
    void itIsResumedAndMovesBackAndForth() {
        isResumedFrom(EnumSet.of(
                MoveStep.PREPARE,
                MoveStep.COPY,
                MoveStep.CATCH_UP,
                MoveStep.FENCE,
                MoveStep.SWITCH,
                MoveStep.CLEAN_UP));
    }

    private void isResumedFrom(Set<MoveStep> steps) {
        cluster.fill(200);
        for (MoveStep step : steps) {
            String source = cluster.home();
            String target = source.equals("pg1") ? "pg2" : "pg1";
            assertThatThrownBy(() -> cluster.mover(killedAt(step)).move(MovingCluster.SHARD, target))
                    .isInstanceOf(Killed.class);
            boolean written = writes(source, step);
            List<String> rows = cluster.allRows(source);
            resume();
            assertThat(cluster.home()).as("%s", step).isEqualTo(target);
            assertThat(cluster.rows(target)).as("%s %s", step, written).isEqualTo(rows);
            assertThat(cluster.leftovers()).as("%s", step).isEmpty();
        }
        assertThat(cluster.mover().moves()).hasSize(steps.size()).allMatch(move -> move.step() == MoveStep.DONE);
    }

    @Tag("attack")
    @ParameterizedTest
    @EnumSource(
            value = MoveStep.class,
            names = {"PREPARE", "PUBLISH", "COPY", "CATCH_UP", "FENCE", "CARRY_OVER", "SWITCH"})
    void itIsAbortedFromEveryStep(MoveStep step) {
        cluster.fill(50);
        List<String> before = cluster.everything("pg1");
        List<String> rows = cluster.rows("pg1");
        assertThatThrownBy(() -> cluster.mover(killedAt(step)).move(MovingCluster.SHARD, "pg2"))
                .isInstanceOf(Killed.class);

        Move move = cluster.mover().abort(MovingCluster.SHARD);

        assertThat(move.step()).isEqualTo(MoveStep.ABORTED);
        assertThat(move.failure()).isNull();
        assertThat(cluster.states()).containsExactly("pg1 1 ACTIVE");
        assertThat(cluster.everything("pg1")).isEqualTo(before);
        assertThat(cluster.rows("pg1")).isEqualTo(rows);
        assertThat(cluster.leftovers()).isEmpty();
        assertThat(cluster.database("pg2").query("SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'shard_0001%'"))
                .containsExactly("0");
        assertThat(writes("pg1", step)).isTrue();
    }

    @Test
    @Tag("quick")
    void afterTheSwitchThereIsNoAbort() {
        assertThatThrownBy(() -> cluster.mover(killedAt(MoveStep.CLEAN_UP)).move(MovingCluster.SHARD, "pg2"))
                .isInstanceOf(Killed.class);
        assertThat(cluster.home()).isEqualTo("pg2");
        assertThatThrownBy(() -> cluster.mover().abort(MovingCluster.SHARD))
                .isInstanceOf(MoveRefusedException.class)
                .hasMessageContaining("the target owns the shard");
        assertThat(cluster.mover().resume(MovingCluster.SHARD).step()).isEqualTo(MoveStep.DONE);
        assertThat(cluster.leftovers()).isEmpty();
    }

    @Tag("restarts")
    @Test
    void itIsAbortedThoughTheTargetIsDown() {
        PostgresServer server = PostgresServers.start();
        try (MovingCluster other = new MovingCluster(PostgresServers.shared(1), server)) {
            other.fill(50);
            MoveOptions killed = other.options().withListener(progress -> {
                if (progress.step() == MoveStep.CARRY_OVER) {
                    throw new Killed();
                }
            });
            assertThatThrownBy(() -> other.mover(killed).move(MovingCluster.SHARD, "pg2"))
                    .isInstanceOf(Killed.class);
            server.stop();

            Move move = other.mover().abort(MovingCluster.SHARD);

            assertThat(move.step()).isEqualTo(MoveStep.ABORTED);
            assertThat(move.failure()).contains("left in database pg2");
            other.database("pg1").execute("INSERT INTO shard_0001.photo (caption) VALUES ('on it goes')");
            server.start();
            other.mover().dropOldCopy(MovingCluster.SHARD, "pg2");
            assertThat(other.leftovers()).isEmpty();
            assertThat(other.states()).containsExactly("pg1 1 ACTIVE");
        } finally {
            server.close();
        }
    }

    /** Each third of its statements, before or after it was run, is its last. */
    @Tag("attack")
    @Test
    void itGoesOnFromEveryStatement() {
        assumeThat(Boolean.getBoolean("sharded-id.test.longer")).isTrue();
        cluster.fill(20);
        boolean killed = true;
        for (int moment = 0; killed; moment += STRIDE) {
            String source = cluster.home();
            String target = source.equals("pg1") ? "pg2" : "pg1";
            DyingSources dying = new DyingSources(cluster.sources(), moment);
            try {
                cluster.mover(dying.sources()).move(MovingCluster.SHARD, target);
            } catch (ShardedIdException e) {
                assertThat(dying.dead()).as(e.getMessage()).isTrue();
            }
            killed = dying.dead();
            writes(source, MoveStep.PREPARE);
            List<String> rows = cluster.allRows(source);
            if (cluster.mover().moves().stream().anyMatch(move -> !move.step().ended())) {
                if (moment % 2 == 0) {
                    resume();
                } else {
                    abortOrResume();
                }
            }
            assertThat(cluster.rows(cluster.home())).as("moment %s", moment).containsAll(rows);
            assertThat(cluster.leftovers()).as("moment %s", moment).isEmpty();
        }
    }

    private void abortOrResume() {
        try {
            await().ignoreExceptionsMatching(MovingCluster::busy)
                    .until(() ->
                            cluster.mover().abort(MovingCluster.SHARD).step().ended());
        } catch (MoveRefusedException e) {
            resume();
        }
    }

    /** The server may need a moment to find out that a session is gone. */
    private void resume() {
        await().ignoreExceptionsMatching(MovingCluster::busy)
                .until(() -> cluster.mover().resume(MovingCluster.SHARD).step() == MoveStep.DONE);
    }

    private boolean writes(String database, MoveStep step) {
        try {
            cluster.database(database)
                    .execute("SET search_path = shard_0001; INSERT INTO photo (caption) VALUES ('" + step
                            + "'); INSERT INTO note (body) VALUES ('" + step + "'); UPDATE note SET body = body || '!'"
                            + " WHERE body = 'note 7'; DELETE FROM likes WHERE id = (SELECT max(id) FROM likes)");
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }
}
