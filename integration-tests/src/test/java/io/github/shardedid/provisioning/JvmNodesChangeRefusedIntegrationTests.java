package io.github.shardedid.provisioning;

import static io.github.shardedid.provisioning.NodesCluster.PLENTY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.operations.internal.SessionLock;
import io.github.shardedid.provisioning.ProvisioningRefusedException.Reason;
import io.github.shardedid.provisioning.nodes.JvmNodesChange;
import io.github.shardedid.provisioning.nodes.JvmNodesChangeRefusedException;
import io.github.shardedid.provisioning.nodes.JvmNodesChangeUnfinishedException;
import io.github.shardedid.test.PostgresServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** A change of the number of JVM nodes that cannot come to its end is refused before it has changed anything. */
class JvmNodesChangeRefusedIntegrationTests {
    private final NodesCluster cluster = NodesCluster.of(32);
    private final Map<String, DataSource> sources =
            new HashMap<>(cluster.databases().sources());

    private AbstractThrowableAssert<?, ? extends Throwable> refused(Reason reason) {
        return refused(ProvisioningRefusedException.class).hasFieldOrPropertyWithValue("reason", reason);
    }

    private AbstractThrowableAssert<?, ? extends Throwable> refused(Class<? extends ShardedIdException> type) {
        return refused(cluster.databases(), type);
    }

    private AbstractThrowableAssert<?, ? extends Throwable> refused(
            TestCluster configured, Class<? extends ShardedIdException> type) {
        Map<String, List<String>> before = configured.dump();
        var thrown = assertThatThrownBy(() -> new JvmNodesChange(configured.definition(), sources).run(0, PLENTY))
                .isExactlyInstanceOf(type)
                .hasMessageContaining("othing was changed");
        assertThat(configured.dump()).isEqualTo(before);
        return thrown;
    }

    @Test
    void whenADatabaseIsDown() {
        sources.put("pg2", unreachable());
        refused(DatabasesUnreachableException.class).hasMessageContaining("{pg2=");
    }

    private static DataSource unreachable() {
        PGSimpleDataSource nobody = new PGSimpleDataSource();
        nobody.setUrl("jdbc:postgresql://localhost:1/none");
        return nobody;
    }

    @Test
    void whenADatabaseIsNotConfigured() {
        sources.remove("pg2");
        refused(cluster.databases().without("pg2"), DatabasesUnreachableException.class)
                .hasMessageContaining("owns the shards 1");
    }

    @Test
    void whenADatabaseIsNotProvisioned() {
        TestCluster grown =
                cluster.databases().with("pg3", PostgresServers.shared(1).newDatabase(), "");
        sources.putAll(grown.sources());
        refused(grown, UnprovisionedException.class).hasMessageContaining("pg3");
    }

    @Test
    void whenAnotherRunIsAtWork() throws SQLException {
        try (Connection other = cluster.home(1).connect();
                SessionLock lock = SessionLock.tryOnJvmNodes(other)) {
            assertThat(lock).isNotNull();
            refused(JvmNodesChangeRefusedException.class).hasMessageContaining("Another run", "in database pg2");
        }
    }

    @Test
    void whenAShardIsBeingMoved() {
        cluster.home(1).execute("UPDATE sharded_id.shard SET state = 'MOVING'");
        refused(JvmNodesChangeRefusedException.class).hasMessageContaining("MOVING in database pg2");
    }

    @Test
    void whenTheFunctionsAreNotAsTheyWere() {
        cluster.home(1)
                .execute(
                        "CREATE OR REPLACE FUNCTION sharded_id.server() RETURNS text LANGUAGE sql STABLE AS 'SELECT 1'");
        refused(Reason.DAMAGED_DATABASE).hasMessageContaining("server (altered)");
    }

    @Test
    void whenTheUserDoesNotOwnWhatIsToBeChanged() {
        String user = "u_" + cluster.home(1).name();
        cluster.home(1)
                .execute("CREATE ROLE " + user + " LOGIN PASSWORD 'p'; GRANT SELECT, UPDATE ON ALL TABLES IN SCHEMA"
                        + " sharded_id TO " + user + "; GRANT ALL ON DATABASE "
                        + cluster.home(1).name() + " TO " + user);
        PGSimpleDataSource other = (PGSimpleDataSource) cluster.home(1).dataSource();
        other.setUser(user);
        other.setPassword("p");
        sources.put("pg2", other);
        try {
            refused(Reason.MISSING_PRIVILEGE).hasMessageContaining("of database pg2 does not own");
        } finally {
            cluster.home(1).execute("DROP OWNED BY " + user + "; DROP ROLE " + user);
        }
    }

    @Test
    void whenTheLayoutCannotHaveSoManyNodes() {
        assertThatThrownBy(() -> cluster.change(3, PLENTY))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0 or a power of two up to 512");
    }

    @Test
    void whenAnInstanceStaysAtWorkOnTheSchemas() throws SQLException {
        try (Connection instance = cluster.home(1).connect();
                SessionLock lock = SessionLock.onDatabase("pg1", instance)) {
            assertThatThrownBy(() -> cluster.change(0, java.time.Duration.ZERO))
                    .isInstanceOf(JvmNodesChangeUnfinishedException.class)
                    .hasMessageContaining("Database pg2: waited for an instance that makes or migrates schemas");
        }
        cluster.change(0, PLENTY);
        assertThat(cluster.stored()).containsExactly("0", "0");
    }

    @Test
    void theConnectionsAreGivenBackAsTheyWere() throws SQLException {
        try (OneConnectionPool pool = new OneConnectionPool(cluster.home(0))) {
            sources.put("pg1", pool);
            pool.raw().setAutoCommit(false);
            new JvmNodesChange(cluster.databases().definition(), sources).run(0, PLENTY);
            assertThat(pool.raw().getAutoCommit()).isFalse();
            assertThat(pool.query("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND database ="
                            + " (SELECT oid FROM pg_database WHERE datname = current_database())"))
                    .isEqualTo("0");
            assertThat(pool.query("SHOW lock_timeout")).isEqualTo("0");
        }
    }
}
