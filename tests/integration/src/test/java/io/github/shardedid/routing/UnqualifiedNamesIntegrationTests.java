package io.github.shardedid.routing;

import static io.github.shardedid.routing.NamesCluster.execute;
import static io.github.shardedid.routing.NamesCluster.query;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.jdbc.PgConnection;

/** Whatever ran on a session before, a name without a schema means the statement's shard, or fails. */
class UnqualifiedNamesIntegrationTests {
    private NamesCluster cluster;

    @BeforeEach
    void start() {
        cluster = new NamesCluster();
    }

    @AfterEach
    void noPathOfAnotherShardWasSeen() {
        assertThat(cluster.foreignPaths()).isEmpty();
        cluster.close();
    }

    /** The only session of each database has the path of another shard. */
    private void leavePathAt(int shard) throws SQLException {
        cluster.query(shard, "SELECT caption FROM photo");
    }

    private static String comment(long id) {
        return "INSERT INTO sharded_id_shard.comment VALUES (" + id + ", 1, 'new')";
    }

    @Test
    @Tag("quick")
    void triggersMeanTheirShard() throws SQLException {
        for (int shard = 0; shard < NamesCluster.SHARDS; shard++) {
            leavePathAt(shard ^ 1);
            cluster.execute(shard, comment(shard));
        }
        for (int shard = 0; shard < NamesCluster.SHARDS; shard++) {
            assertThat(cluster.inside(shard, "SELECT comments FROM {h}stats")).isEqualTo(1);
        }
    }

    @Test
    @Tag("quick")
    void functionsMeanTheirShardHoweverTheyAreCalled() throws SQLException {
        cluster.execute(0, comment(1));
        for (String call : List.of(
                "SELECT sharded_id_shard.comments()",
                "SELECT comments() FROM sharded_id_shard.photo",
                "SELECT sharded_id_shard.atomic_comments()",
                "SELECT comments FROM sharded_id_shard.commented",
                "SELECT comments()")) {
            leavePathAt(1);
            assertThat(cluster.query(0, call)).as(call).containsExactly("1");
            assertThat(cluster.query(1, call)).as(call).containsExactly("0");
        }
    }

    @Test
    void idsByTheFunctionWithoutASchemaAreOfTheShard() throws SQLException {
        for (int shard = 0; shard < NamesCluster.SHARDS; shard++) {
            leavePathAt(shard ^ 1);
            cluster.execute(shard, "INSERT INTO sharded_id_shard.item (id) VALUES (next_id('item_id_seq'))");
            assertThat(cluster.inside(shard, "SELECT sharded_id.shard_of(id) FROM {h}item"))
                    .isEqualTo(shard);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT q.caption FROM sharded_id_shard.tag t, photo q WHERE t.id = 1",
                "SELECT q.caption FROM (sharded_id_shard.tag t CROSS JOIN photo q) WHERE t.id = 1",
                "WITH photo AS (SELECT * FROM photo) SELECT caption FROM photo, sharded_id_shard.tag t WHERE t.id = 1",
                "SELECT caption FROM sharded_id_shard.photo WHERE id IN (SELECT 1 FROM tag, stats) AND caption IN (SELECT caption FROM photo)",
                "SELECT (TABLE photo ORDER BY 2 LIMIT 1) FROM (SELECT caption FROM photo) sharded_id_shard",
            })
    @Tag("quick")
    void queriesWithMixedNamesMeanTheShard(String sql) throws SQLException {
        for (int shard = 0; shard < NamesCluster.SHARDS; shard++) {
            leavePathAt(shard ^ 1);
            if (sql.contains("TABLE photo")) {
                int wanted = shard;
                assertThatThrownBy(() -> cluster.query(wanted, sql)).hasMessageContaining("one column");
            } else {
                assertThat(cluster.query(shard, sql)).containsExactly("of " + ShardSchema.nameOf(shard));
            }
        }
    }

    @Test
    @Tag("since-16") // MERGE exists since 15.
    void mergesWithMixedNamesTouchTheShardAlone() throws SQLException {
        statementsWithMixedNamesTouchTheShardAlone("MERGE INTO tag USING photo q ON true WHEN MATCHED THEN DELETE");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "TRUNCATE sharded_id_shard.photo, tag",
                "DROP TABLE sharded_id_shard.item, tag",
                "DELETE FROM tag USING sharded_id_shard.photo q, stats s",
                "WITH x AS (DELETE FROM tag RETURNING 1) SELECT count(*) FROM x, sharded_id_shard.photo",
                "DO $$ BEGIN DELETE FROM tag; END $$",
                "CALL add_comment(5)",
                "LOCK TABLE sharded_id_shard.photo, tag",
                "ALTER TABLE tag ADD FOREIGN KEY (id) REFERENCES photo NOT VALID",
            })
    @Tag("quick")
    void statementsWithMixedNamesTouchTheShardAlone(String sql) throws SQLException {
        leavePathAt(0);
        if (sql.startsWith("LOCK")) {
            try (Connection connection = cluster.routed().getConnection()) {
                connection.setAutoCommit(false);
                execute(connection, 1, sql);
                assertThat(query(
                                connection,
                                1,
                                "SELECT DISTINCT relation::regclass::text FROM pg_locks WHERE mode = 'AccessExclusiveLock'"
                                        + " AND relation::regclass::text LIKE '%tag'"))
                        .containsExactly("tag");
                connection.rollback();
            }
        } else {
            cluster.execute(1, sql);
        }
        assertThat(cluster.inside(0, "SELECT count(*) FROM {h}tag")).isEqualTo(2);
        assertThat(cluster.inside(
                        0, "SELECT count(*) FROM pg_constraint WHERE conrelid = '{h}tag'::regclass AND contype = 'f'"))
                .isZero();
        assertThat(cluster.inside(0, "SELECT count(*) FROM {h}comment")).isZero();
    }

    @Test
    void aPathThatIsChangedUnseenIsSetAgain() throws SQLException {
        String foreign = "shard_0001, public";
        int comments = 0;
        for (String change : List.of(
                "SELECT sharded_id_shard.wander('" + foreign + "')",
                "SELECT wander('" + foreign + "') FROM sharded_id_shard.photo",
                "SELECT wander('" + foreign + "')")) {
            cluster.query(0, change);
            assertThat(cluster.query(0, "SELECT caption FROM photo")).as(change).containsExactly("of shard_0000");
            cluster.query(0, change);
            assertThat(cluster.query(0, "SELECT comments() FROM sharded_id_shard.photo"))
                    .containsExactly(Integer.toString(comments++));
            cluster.query(0, change);
            cluster.execute(0, comment(comments));
            cluster.home(1).execute("UPDATE shard_0001.stats SET comments = 77");
        }
        assertThat(cluster.inside(0, "SELECT comments FROM {h}stats")).isEqualTo(3);
    }

    @Test
    void aPathOfAConnectionThatWasHandedOutIsSetAgain() throws SQLException {
        try (Connection connection = cluster.routed().getConnection();
                ShardContext.Scope scope = ShardContext.open(0)) {
            connection.unwrap(PgConnection.class).execSQLUpdate("SET search_path TO shard_0001, public");
            assertThat(query(connection, 0, "SELECT caption FROM photo")).containsExactly("of shard_0000");
            connection.unwrap(PgConnection.class).execSQLUpdate("SET search_path TO shard_0001, public");
            execute(connection, 0, comment(1));
            connection.unwrap(PgConnection.class).execSQLUpdate("SET search_path TO shard_0001, public");
        }
        cluster.execute(0, comment(2));
        assertThat(cluster.query(0, "SELECT caption FROM photo")).containsExactly("of shard_0000");
    }

    @Test
    @Tag("quick")
    void aTemporaryTableComesFirst() throws SQLException {
        try (Connection connection = cluster.routed().getConnection()) {
            connection.setAutoCommit(false);
            execute(connection, 0, "CREATE TEMP TABLE photo ON COMMIT DROP AS SELECT 'temporary'::text AS caption");
            assertThat(query(connection, 0, "SELECT caption FROM photo")).containsExactly("temporary");
            assertThat(query(connection, 0, "SELECT caption FROM sharded_id_shard.photo"))
                    .containsExactly("of shard_0000");
            connection.rollback();
            assertThat(query(connection, 0, "SELECT caption FROM photo")).containsExactly("of shard_0000");
        }
    }

    @Test
    void operatorsOfExtensionsAreThoseOfTheUsualPath() throws SQLException {
        for (String table : List.of("account", "sharded_id_shard.account")) {
            leavePathAt(1);
            assertThat(cluster.query(0, "SELECT id FROM " + table + " WHERE email = 'ADA0@X.ORG'"))
                    .as(table)
                    .containsExactly("0");
            assertThat(cluster.query(0, "SELECT domain FROM " + table + " WHERE email::text % 'Ada0@x.orc'"))
                    .containsExactly("x.org");
            assertThat(cluster.query(0, "SELECT id FROM " + table + " WHERE similarity(email::text, 'Ada0@x.org') = 1"))
                    .containsExactly("0");
            assertThatThrownBy(() -> cluster.execute(0, "INSERT INTO " + table + " VALUES (9, 'ADA0@x.org')"))
                    .hasMessageContaining("account_email_key");
        }
        try (Connection connection = cluster.routed().getConnection();
                ShardContext.Scope scope = ShardContext.open(ShardSet.all());
                PreparedStatement scatter = connection.prepareStatement(
                        "SELECT a.id FROM sharded_id_shard.account a WHERE a.email = 'ADA2@X.ORG' ORDER BY a.id");
                ResultSet rows = scatter.executeQuery()) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getLong(1)).isEqualTo(2);
            assertThat(rows.next()).isFalse();
        }
    }

    @Test
    void functionsThatExistAreBoundAtTheNextStart() throws SQLException {
        cluster.home(0)
                .execute(
                        "ALTER FUNCTION shard_0000.count_comment() RESET ALL; SET search_path TO shard_0000;"
                                + " CREATE OR REPLACE FUNCTION shard_0000.comments() RETURNS bigint LANGUAGE sql STABLE AS 'SELECT 10 + comments FROM stats'");
        cluster.provision();
        leavePathAt(1);
        cluster.execute(0, comment(1));
        assertThat(cluster.query(0, "SELECT sharded_id_shard.comments()")).containsExactly("11");
        cluster.home(0).execute("ALTER FUNCTION shard_0000.comments() SET search_path TO shard_0001");
        assertThatThrownBy(cluster::provision)
                .hasMessageContaining("shard_0000.comments()")
                .hasMessageContaining("shard_0001");
    }

    @Test
    void anExtensionInTheSchemaOfAShardIsRefused() {
        cluster.home(0).execute("CREATE EXTENSION \"uuid-ossp\" SCHEMA shard_0000");
        assertThatThrownBy(cluster::provision)
                .hasMessageContaining("Extension \"uuid-ossp\" is in shard_0000")
                .hasMessageContaining("ALTER EXTENSION \"uuid-ossp\" SET SCHEMA public");
    }

    @Test
    @Tag("quick")
    void noSequenceOfStatementsMeetsThePathOfAnotherShard() throws SQLException {
        long seed = Long.getLong("sharded-id.test.seed", System.nanoTime());
        Random random = new Random(seed);
        cluster.poolSize(2);
        long[] comments = new long[NamesCluster.SHARDS];
        for (int round = 0; round < 60; round++) {
            try (Connection connection = cluster.routed().getConnection()) {
                boolean transaction = random.nextBoolean();
                connection.setAutoCommit(!transaction);
                int writer = random.nextInt(NamesCluster.SHARDS);
                int written = 0;
                for (int i = 0; i < 5; i++) {
                    written += step(connection, random, writer, transaction, round * 10L + i, seed);
                }
                if (transaction && random.nextInt(3) == 0) {
                    connection.rollback();
                } else {
                    comments[writer] += written;
                    if (transaction) {
                        connection.commit();
                    }
                }
            }
        }
        for (int shard = 0; shard < NamesCluster.SHARDS; shard++) {
            assertThat(cluster.inside(shard, "SELECT count(*) FROM {h}comment"))
                    .as("seed %d", seed)
                    .isEqualTo(comments[shard]);
            assertThat(cluster.inside(shard, "SELECT comments FROM {h}stats"))
                    .as("seed %d", seed)
                    .isEqualTo(comments[shard]);
        }
    }

    /** How many comments were written. */
    private static int step(Connection connection, Random random, int writer, boolean transaction, long id, long seed)
            throws SQLException {
        int shard = random.nextInt(NamesCluster.SHARDS);
        String caption = "of " + ShardSchema.nameOf(shard);
        switch (random.nextInt(6)) {
            case 0 ->
                assertThat(query(connection, shard, "SELECT caption FROM photo"))
                        .as("seed %d", seed)
                        .containsExactly(caption);
            case 1 ->
                assertThat(query(connection, shard, "SELECT caption FROM sharded_id_shard.photo p, stats"))
                        .as("seed %d", seed)
                        .containsExactly(caption);
            case 2 ->
                assertThat(query(connection, shard, "SELECT caption FROM sharded_id_shard.photo"))
                        .as("seed %d", seed)
                        .containsExactly(caption);
            case 3 -> {
                if (transaction) {
                    Savepoint savepoint = connection.setSavepoint();
                    query(connection, shard, "SELECT caption FROM photo FOR UPDATE");
                    connection.rollback(savepoint);
                }
            }
            case 4 -> {
                execute(connection, writer, comment(id));
                return 1;
            }
            default -> {
                execute(connection, writer, "INSERT INTO comment VALUES (" + id + ", 1, 'native')");
                return 1;
            }
        }
        return 0;
    }
}
