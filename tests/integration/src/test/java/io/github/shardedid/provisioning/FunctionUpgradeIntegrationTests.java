package io.github.shardedid.provisioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.operations.internal.SessionLock;
import io.github.shardedid.provisioning.ProvisioningRefusedException.Reason;
import io.github.shardedid.test.OwnThread;
import io.github.shardedid.test.TestDatabase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Functions of the first version lock a sequence in another way than those that replace them. */
@Tag("quick")
class FunctionUpgradeIntegrationTests {
    private static final String NEXT = "SELECT shard_0003.next_id('shard_0003.photo_id_seq')";
    private static final String OLD_LOCK =
            "pg_advisory_lock(1768842083, 'shard_0003.photo_id_seq'::regclass::oid::int)";

    private final TestCluster cluster = TestCluster.ofOne(IdLayout.DEFAULT, 8);
    private final TestDatabase database = cluster.database("pg1");
    private final String writer = "writer_of_" + database.name();

    @BeforeEach
    void makeOld() throws IOException {
        cluster.provision(TestCluster.GOOD);
        try (var in = Objects.requireNonNull(
                getClass().getResourceAsStream("/io/github/shardedid/provisioning/functions-v1.sql"))) {
            database.execute(new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    + "GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA sharded_id TO PUBLIC;"
                    + "ALTER TABLE sharded_id.session_lock DROP COLUMN started;"
                    + "UPDATE sharded_id.cluster SET schema_version = 1; CREATE ROLE " + writer
                    + "; GRANT USAGE ON SCHEMA shard_0003 TO " + writer
                    + "; GRANT USAGE, UPDATE ON SEQUENCE shard_0003.photo_id_seq TO " + writer);
        }
    }

    @AfterEach
    void dropRole() {
        database.execute("DROP OWNED BY " + writer + "; DROP ROLE " + writer);
    }

    @Test
    void newCallsWaitForOldOnesUntilNoneCanBeUnderWay() throws Exception {
        CompletableFuture<Boolean> provisioned;
        try (Connection connection = database.connect();
                Statement old = connection.createStatement()) {
            old.execute("BEGIN; " + NEXT);
            provisioned = OwnThread.supply(() -> {
                cluster.provision(TestCluster.GOOD);
                return true;
            });
            await().until(() -> database.queryLong("SELECT count(*) FROM pg_proc WHERE proname = 'hop_from'"
                            + " AND prosrc LIKE '%pg_advisory_xact_lock(1768842083%'")
                    == 1);
            old.execute("SELECT " + OLD_LOCK); // as within an old call
            CompletableFuture<Long> id = OwnThread.supply(() -> database.queryLong(NEXT));
            await().until(() -> id.isDone()
                    || database.queryLong("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
                                    + " AND classid = 1768842083")
                            == 1);
            assertThat(id).isNotDone();
            old.execute("SELECT " + OLD_LOCK.replace("_lock", "_unlock"));
            assertThat(id.get()).isPositive();
            assertThat(provisioned).isNotDone();
            assertThat(database.query("SELECT schema_version FROM sharded_id.cluster"))
                    .containsExactly("1");
            old.execute("COMMIT");
            assertThat(provisioned.get()).isTrue();
            assertThat(database.query("SELECT schema_version FROM sharded_id.cluster"))
                    .containsExactly("8");
            old.execute("SELECT " + OLD_LOCK);
            assertThat(database.queryLong(NEXT)).isPositive();
        }
    }

    @Test
    void whoMadeIdsGoesOnAndEverybodyElseNoLongerMay() throws SQLException {
        cluster.provision(TestCluster.GOOD);

        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SET ROLE " + writer);
            statement.execute(NEXT);
        }
        assertThat(database.query(
                        "SELECT has_function_privilege('pg_monitor', 'sharded_id.next_id(regclass, int)', 'EXECUTE')"))
                .containsExactly("f");
        cluster.provisioner(cluster.sources(), TestCluster.GOOD).check();
    }

    /** What an older version does for a change of jvm-nodes, in the functions and in other databases, this one does not know. */
    @Test
    void aChangeOfJvmNodesThatAnOlderVersionHasNotCompletedIsRefused() {
        notUpgraded("changing_to = 0", 64);
        notUpgraded("changing_to = 16, jvm_nodes = 0", 0);
        notUpgraded("changing_to = NULL, jvm_nodes = 0, earliest = 5", 0);

        database.execute("UPDATE sharded_id.cluster SET jvm_nodes = 64");
        cluster.provision(TestCluster.GOOD);
        cluster.provisioner(cluster.sources(), TestCluster.GOOD).check();
    }

    private void notUpgraded(String stored, int configured) {
        database.execute("UPDATE sharded_id.cluster SET " + stored);
        var before = cluster.dump();
        assertThatThrownBy(() -> cluster.with(IdLayout.DEFAULT.withJvmNodes(configured), 8)
                        .provision(TestCluster.GOOD))
                .isInstanceOf(ProvisioningRefusedException.class)
                .hasFieldOrPropertyWithValue("reason", Reason.UNSUPPORTED_VERSION)
                .hasMessageContaining("In database pg1 an older version");
        assertThat(cluster.dump()).isEqualTo(before);
    }

    @Test
    void aDatabaseInWhichAnOlderVersionIsAboutToChangeJvmNodesIsNotUpgraded() throws SQLException {
        try (Connection older = database.connect()) {
            SessionLock.prepare(older);
            try (SessionLock nodes = SessionLock.tryOnJvmNodes(older)) {
                assertThat(nodes).isNotNull();
                assertThatThrownBy(() -> cluster.provision(TestCluster.GOOD))
                        .isInstanceOf(ProvisioningRefusedException.class)
                        .hasFieldOrPropertyWithValue("reason", Reason.UNSUPPORTED_VERSION)
                        .hasMessageContaining("In database pg1 an older version");
            }
        }
        assertThat(database.query("SELECT schema_version FROM sharded_id.cluster"))
                .containsExactly("1");
        cluster.provision(TestCluster.GOOD);
    }
}
