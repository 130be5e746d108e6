package io.github.shardedid.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The password with which the target's server connects to the source is not in the log of the target's server. */
// The role pg_create_subscription is needed.
@Tag("since-16")
@Tag("embedded-only")
class ServerLogIntegrationTests {
    private static final String ROLE = "logged_mover";
    private static final String SECRET = "S3cret";

    private final PostgresServer target = PostgresServers.start(
            Map.of("logging_collector", "on", "log_statement", "ddl", "log_error_verbosity", "verbose"));
    private final ServerAsRole first = ServerAsRole.on(PostgresServers.shared(1), ROLE);
    private final ServerAsRole second = ServerAsRole.on(target, ROLE);
    private final MovingCluster cluster = new MovingCluster(first, second);
    private final TestDatabase pg2 = second.owned(cluster.database("pg2"));

    @AfterEach
    void stop() {
        cluster.close();
        target.close();
    }

    private MoveOptions options(int port, String password) {
        return MoveOptions.DEFAULT.withReplicationSources(Map.of(
                "pg1",
                new ReplicationSource("localhost", port, cluster.database("pg1").name(), ROLE, password)));
    }

    private String log() {
        return String.join("\n", pg2.query("SELECT pg_read_file(pg_current_logfile())"));
    }

    @Test
    void neitherWhatFailsNorWhatSucceedsIsLoggedWithIt() {
        first.owned(cluster.database("pg1")).execute("ALTER ROLE " + ROLE + " REPLICATION");
        pg2.execute("GRANT pg_create_subscription TO " + ROLE);
        cluster.fill(5);

        for (MoveOptions wrong : new MoveOptions[] {options(first.port(), SECRET), options(1, SECRET)}) {
            assertThat(cluster.mover(wrong).check(MovingCluster.SHARD, "pg2"))
                    .singleElement()
                    .asString()
                    .contains("does not reach the source")
                    .doesNotContain("inline_code_block")
                    .doesNotContain(SECRET);
            assertThatThrownBy(() -> cluster.mover(wrong).move(MovingCluster.SHARD, "pg2"))
                    .isInstanceOf(MoveRefusedException.class);
        }
        cluster.mover(options(first.port(), "pw of " + ROLE)).move(MovingCluster.SHARD, "pg2");

        assertThat(cluster.states()).containsExactly("pg1 1 MOVED", "pg2 2 ACTIVE");
        assertThat(cluster.leftovers()).isEmpty();
        assertThat(log()).contains("sharded_id_move_", "ERROR").doesNotContain(SECRET, "password=");
    }
}
