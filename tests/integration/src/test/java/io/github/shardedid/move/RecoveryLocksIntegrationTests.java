package io.github.shardedid.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.operations.internal.SessionLock;
import io.github.shardedid.test.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whom the fence of an outdated copy waits for: a mover at work on the shard, and nobody else who has the number of its lock. */
class RecoveryLocksIntegrationTests {
    private static final String SET_ASIDE = "SELECT sharded_id.set_aside(1, 1) IS NULL";

    private final MovingCluster cluster = new MovingCluster();
    private final TestDatabase pg2 = cluster.database("pg2");
    private final String role = "locking_" + pg2.name();

    @BeforeEach
    void makeOutdatedCopy() {
        cluster.mover().moveOffline(MovingCluster.SHARD, "pg2");
        cluster.mover().moveOffline(MovingCluster.SHARD, "pg1");
        pg2.execute("UPDATE sharded_id.shard SET state = 'ACTIVE', generation = 1 WHERE shard = 1; CREATE ROLE " + role
                + " LOGIN PASSWORD 'p'");
    }

    @AfterEach
    void drop() {
        pg2.execute("DROP ROLE " + role);
        cluster.close();
    }

    @Test
    void aLockThatEverybodyMayTakeHoldsNobodyUp() throws SQLException {
        try (Connection connection = DriverManager.getConnection(pg2.url(), role, "p");
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_advisory_lock(1768842085, i) FROM generate_series(-1, 9) i");

            cluster.mover().recover(MovingCluster.SHARD, "pg1");
        }

        assertThat(cluster.states()).containsExactly("pg1 3 ACTIVE", "pg2 1 MOVED");
    }

    @Test
    void aMoverAtWorkIsWaitedFor() throws SQLException {
        try (Connection hostile = DriverManager.getConnection(pg2.url(), role, "p");
                Statement statement = hostile.createStatement();
                Connection mover = pg2.connect()) {
            statement.execute("SELECT pg_advisory_lock(1768842085, 1)");
            try (SessionLock lock = SessionLock.tryTake(mover, SessionLock.ofShard(MovingCluster.SHARD))) {
                assertThat(lock).isNotNull();
                assertThat(pg2.query(SET_ASIDE)).containsExactly("t");
                assertThatThrownBy(() -> cluster.mover().recover(MovingCluster.SHARD, "pg1"))
                        .isInstanceOf(MoveRefusedException.class)
                        .hasMessageContaining("Another process is at work");
            }
        }
        assertThat(cluster.states()).containsExactly("pg1 3 ACTIVE", "pg2 1 ACTIVE");
    }
}
