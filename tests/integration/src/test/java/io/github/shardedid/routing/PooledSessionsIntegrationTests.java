package io.github.shardedid.routing;

import static io.github.shardedid.routing.NamesCluster.execute;
import static io.github.shardedid.routing.NamesCluster.query;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.test.PgBouncerServer;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** Behind PgBouncer in transaction mode, where the session of a connection is another one in each transaction. */
@Tag("embedded-only")
@EnabledIf("isInstalled")
class PooledSessionsIntegrationTests {
    private static final int THREADS = 4;

    private PgBouncerServer first;
    private PgBouncerServer second;
    private NamesCluster cluster;

    static boolean isInstalled() {
        return PgBouncerServer.isInstalled();
    }

    @BeforeEach
    void start() {
        first = new PgBouncerServer(PostgresServers.shared(1), 2);
        second = new PgBouncerServer(PostgresServers.shared(2), 2);
        cluster = new NamesCluster(database ->
                (database.server().port() == PostgresServers.shared(1).port() ? first : second).url(database.name()));
        cluster.poolSize(THREADS);
    }

    @AfterEach
    void stop() {
        cluster.close();
        first.close();
        second.close();
    }

    @Test
    void eachStatementMeansItsShard() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        List<Future<long[]>> written = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            int number = thread;
            written.add(threads.submit(() -> work(number)));
        }
        long[] sum = new long[NamesCluster.SHARDS];
        for (Future<long[]> one : written) {
            for (int shard = 0; shard < sum.length; shard++) {
                sum[shard] += one.get()[shard];
            }
        }
        threads.shutdown();
        for (int shard = 0; shard < NamesCluster.SHARDS; shard++) {
            assertThat(cluster.inside(shard, "SELECT count(*) FROM {h}comment")).isEqualTo(sum[shard]);
            assertThat(cluster.inside(shard, "SELECT comments FROM {h}stats")).isEqualTo(sum[shard]);
        }
    }

    private long[] work(int thread) throws SQLException {
        Random random = new Random(thread);
        long[] written = new long[NamesCluster.SHARDS];
        for (int i = 0; i < 40; i++) {
            int shard = random.nextInt(NamesCluster.SHARDS);
            long id = thread * 1_000L + i;
            String caption = "of " + ShardSchema.nameOf(shard);
            try (Connection connection = cluster.routed().getConnection()) {
                connection.setAutoCommit(random.nextBoolean());
                assertThat(query(connection, shard, "SELECT caption FROM photo"))
                        .containsExactly(caption);
                assertThat(query(
                                connection,
                                shard,
                                "SELECT q.caption FROM sharded_id_shard.tag t, photo q WHERE t.id = 1"))
                        .containsExactly(caption);
                execute(connection, shard, "INSERT INTO comment VALUES (" + id + ", 1, 'native')");
                execute(
                        connection,
                        shard,
                        "INSERT INTO sharded_id_shard.comment VALUES (-1 - " + id + ", 1, 'qualified')");
                written[shard] += 2;
                assertThat(query(connection, shard, "SELECT id FROM account WHERE email = 'ADA" + shard + "@X.ORG'"))
                        .containsExactly(Integer.toString(shard));
                if (!connection.getAutoCommit()) {
                    connection.commit();
                }
            }
        }
        return written;
    }

    @Test
    void aStatementInAutocommitIsCommittedAndAFailedOneLeavesNothing() throws SQLException {
        try (Connection connection = cluster.routed().getConnection();
                ShardContext.Scope scope = ShardContext.open(0);
                Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO tag VALUES (10)");
            assertThat(cluster.inside(0, "SELECT count(*) FROM {h}tag")).isEqualTo(3);
            assertThatThrownBy(() -> statement.execute("INSERT INTO tag VALUES (11), (10)"))
                    .isInstanceOf(SQLException.class);
            statement.execute("INSERT INTO tag VALUES (12)");
        }
        assertThat(cluster.inside(0, "SELECT count(*) FROM {h}tag")).isEqualTo(4);
    }

    @Test
    void sessionsWhosePathLacksTheCommonSchemasAreRefused() {
        cluster.home(0).execute("CREATE SCHEMA elsewhere; ALTER EXTENSION citext SET SCHEMA elsewhere");
        assertThatThrownBy(() -> cluster.query(0, "SELECT caption FROM sharded_id_shard.photo"))
                .hasMessageContaining("behind a pooler")
                .hasMessageContaining("elsewhere");
    }
}
