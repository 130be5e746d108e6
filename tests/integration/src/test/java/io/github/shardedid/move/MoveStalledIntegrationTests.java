package io.github.shardedid.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A copy that makes no progress stops with the reason, and is resumed when that is removed. */
class MoveStalledIntegrationTests {
    private final MovingCluster cluster = new MovingCluster();

    @AfterEach
    void drop() {
        cluster.close();
    }

    private MoveOptions options(Runnable atPublish) {
        return TestMoveOptions.catchUpTimeout(cluster.options(), Duration.ofSeconds(10))
                .withListener(progress -> {
                    if (progress.step() == MoveStep.PUBLISH) {
                        atPublish.run();
                    }
                });
    }

    @Test
    void workersThatFailAgainAndAgain() {
        cluster.fill(100);
        List<String> rows = cluster.rows("pg1");
        MoveOptions options = options(() ->
                cluster.database("pg2").execute("ALTER TABLE shard_0001.photo ADD CONSTRAINT never CHECK (false)"));

        assertThatThrownBy(() -> cluster.mover(options).move(MovingCluster.SHARD, "pg2"))
                .isInstanceOf(MoveUnfinishedException.class)
                .hasMessageContainingAll("log of", "server", "sharded_id_move_1_", "Resume");
        assertThat(cluster.mover().moves())
                .singleElement()
                .satisfies(move -> assertThat(move.step()).isEqualTo(MoveStep.COPY))
                .satisfies(move -> assertThat(move.failure()).contains("says why"));

        cluster.database("pg2").execute("ALTER TABLE shard_0001.photo DROP CONSTRAINT never");
        resumed(rows);
    }

    @Test
    @Tag("slow")
    void workersThatWaitWithoutEnd() throws SQLException {
        cluster.fill(100);
        List<String> rows = cluster.rows("pg1");
        try (Connection connection = cluster.database("pg2").connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            MoveOptions options = options(() -> {
                try {
                    statement.execute("LOCK TABLE shard_0001.photo IN EXCLUSIVE MODE");
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });

            assertThatThrownBy(() -> cluster.mover(options).move(MovingCluster.SHARD, "pg2"))
                    .isInstanceOf(MoveUnfinishedException.class)
                    .hasMessageContainingAll("nothing has arrived at the target for 10 s", "sharded_id_move_1_");
        }
        resumed(rows);
    }

    private void resumed(List<String> rows) {
        cluster.mover().resume(MovingCluster.SHARD);
        assertThat(cluster.rows("pg2")).isEqualTo(rows);
        assertThat(cluster.states()).containsExactly("pg1 1 MOVED", "pg2 2 ACTIVE");
        assertThat(cluster.leftovers()).isEmpty();
    }
}
