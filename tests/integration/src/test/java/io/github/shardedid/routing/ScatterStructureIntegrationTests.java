package io.github.shardedid.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queries over several shards while a migration changes their tables, one shard after the other. */
class ScatterStructureIntegrationTests extends ScatteredPhotos {
    private static final String SEEN = " from sharded_id_shard.seen s";

    /** Each shard, and the plain schema, have a table with a row for each shard, which is one in them. */
    @BeforeEach
    void createTables() {
        create("CREATE TABLE %1$s.seen (id bigint PRIMARY KEY, name text, words text, n int)");
    }

    private void create(String table) {
        for (int shard = 0; shard < 6; shard++) {
            in(shard, "DROP TABLE IF EXISTS %1$s.seen CASCADE; DROP VIEW IF EXISTS %1$s.seen; " + table);
        }
        plain("CREATE SCHEMA IF NOT EXISTS plain; DROP TABLE IF EXISTS plain.seen CASCADE; "
                + table.formatted("plain"));
        for (int shard = 0; shard < 6; shard++) {
            fill(shard);
        }
        cluster.routed.declareColocated(Map.of("seen", Set.of("id")));
    }

    private void fill(int shard) {
        String row = " (id, name, words, n) VALUES (%2$s, 'name %2$s', 'words %2$s', %2$s)";
        in(shard, "INSERT INTO %1$s.seen" + row);
        plain(("INSERT INTO plain.seen" + row).formatted("", shard));
    }

    private void in(int shard, String sql) {
        cluster.databases.get(shard % 2).execute(sql.formatted(ShardSchema.nameOf(shard), shard));
    }

    private void everywhere(String sql) {
        for (int shard = 0; shard < 6; shard++) {
            in(shard, sql);
        }
        plain(sql.formatted("plain"));
    }

    private void plain(String sql) {
        cluster.databases.get(0).execute(sql);
    }

    private void isAsPlain(String sql) throws SQLException {
        for (ShardSet shards : List.of(
                ShardSet.all(), ShardSet.all().perShard(), ShardSet.all().withFetchSize(1))) {
            assertThat(cluster.in(shards, sql)).as("%s in %s", sql, shards).isEqualTo(cluster.plain(sql));
        }
        assertThat(cluster.labels(sql)).as(sql).isEqualTo(cluster.plainLabels(sql));
    }

    private void isRefused(String sql, String... words) {
        for (ShardSet shards : List.of(ShardSet.all(), ShardSet.all().withFetchSize(1))) {
            assertThat(catchThrowable(() -> cluster.in(shards, sql)))
                    .as(sql)
                    .isInstanceOfAny(UnsupportedStatementException.class, SQLException.class)
                    .satisfies(e -> assertThat(List.of(words)).allMatch(String.valueOf(e.getMessage())::contains));
        }
    }

    /** To PostgreSQL, * is the columns in the order in which they were created. */
    @Test
    void columnsInAnotherOrder() throws SQLException {
        for (int shard = 2; shard < 4; shard++) {
            in(
                    shard,
                    "DROP TABLE %1$s.seen; CREATE TABLE %1$s.seen (words text, n int, name text, id bigint PRIMARY KEY);"
                            + " INSERT INTO %1$s.seen VALUES ('words %2$s', %2$s, 'name %2$s', %2$s)");
        }
        for (String sql : List.of(
                "select *" + SEEN + " order by s.id",
                "select s.*, s.n + 1 as more" + SEEN + " order by name desc, id limit 4",
                "select distinct *" + SEEN + " order by n",
                "select sharded_id_shard.seen.* from sharded_id_shard.seen order by 4",
                "select x.a from (select * from sharded_id_shard.seen union all select * from sharded_id_shard.seen) x(a)"
                        + " order by x.a",
                "select * from sharded_id_shard.seen s join sharded_id_shard.seen t on t.id = s.id order by s.id",
                "select s.id" + SEEN
                        + " where exists (select * from sharded_id_shard.seen t where t.id = s.id) order by s.id",
                "select count(s.words), count(*)" + SEEN)) {
            isAsPlain(sql);
        }
        for (String sql : List.of(
                "select s" + SEEN,
                "select row_to_json(s)" + SEEN,
                "select s::text" + SEEN,
                "select count(s)" + SEEN,
                "select x.*, 1 as one from (select * from sharded_id_shard.seen) x order by n desc",
                "select x.a from sharded_id_shard.seen x(a)")) {
            for (ShardSet shards : List.of(ShardSet.all(), ShardSet.all().perShard())) {
                assertThatExceptionOfType(UnsupportedStatementException.class)
                        .as(sql)
                        .isThrownBy(() -> cluster.in(shards, sql));
            }
        }
    }

    /** With shards of one statement, of two, and of two databases. */
    @ParameterizedTest
    @CsvSource({"2", "4", "1"})
    void aColumnThatOneShardHas(int other) throws SQLException {
        String all = "select *" + SEEN + " order by id";
        String named = "select s.id, s.name" + SEEN + " order by s.id";
        isAsPlain(all);
        in(other, "ALTER TABLE %1$s.seen ADD likes int");
        isRefused(all, "migration of all shards");
        isRefused("select s.likes" + SEEN, "likes");
        isRefused(
                "select count(*) from (select * from sharded_id_shard.seen) x where x.id > 0",
                "migration of all shards");
        isAsPlain(named);
        everywhere("ALTER TABLE %1$s.seen ADD IF NOT EXISTS likes int DEFAULT 7");
        in(other, "UPDATE %1$s.seen SET likes = 7");
        isAsPlain(all);
        isAsPlain("select s.likes, s.*" + SEEN + " order by s.id");
        in(other, "ALTER TABLE %1$s.seen RENAME words TO phrases");
        isRefused(all, "migration of all shards");
        isAsPlain(named);
        everywhere("ALTER TABLE %1$s.seen DROP IF EXISTS words, DROP IF EXISTS phrases");
        isAsPlain(all);
    }

    @ParameterizedTest
    @CsvSource({
        "int, numeric",
        "int, bigint",
        "numeric, double precision",
        "real, double precision",
        "timestamp, timestamptz",
        "date, timestamp",
        "text, char(9)",
        "int, int[]",
        "json, jsonb",
        "interval, text"
    })
    void anotherTypeInOneShard(String type, String another) throws SQLException {
        everywhere("ALTER TABLE %1$s.seen ADD v " + type);
        String named = "select s.v, s.id" + SEEN + " order by s.id limit 9";
        isAsPlain(named);
        for (int other : new int[] {4, 2, 3}) {
            in(other, "ALTER TABLE %1$s.seen DROP v, ADD v " + another);
            isRefused(named);
            isRefused("select *" + SEEN);
            if (!another.equals(type + "[]")) {
                isRefused("select s.id" + SEEN + " where s.v is null");
            }
            isAsPlain("select s.id" + SEEN + " order by s.id");
            in(other, "ALTER TABLE %1$s.seen DROP v, ADD v " + type);
            isAsPlain(named);
        }
        everywhere("ALTER TABLE %1$s.seen DROP v, ADD v " + another);
        isAsPlain(named);
    }

    @Test
    void typesThatAreAlike() throws SQLException {
        everywhere("DROP DOMAIN IF EXISTS %1$s.note; CREATE DOMAIN %1$s.note AS text; ALTER TABLE %1$s.seen ADD d"
                + " %1$s.note DEFAULT 'd', ADD v varchar(20) DEFAULT 'v', ADD m numeric(9, 2) DEFAULT 1");
        in(2, "ALTER TABLE %1$s.seen ALTER v TYPE varchar(30), ALTER m TYPE numeric(5, 1)");
        isAsPlain("select s.v, s.d, s.id" + SEEN + " order by s.id");
        in(2, "ALTER TABLE %1$s.seen ALTER m TYPE numeric(9, 2)");
        isAsPlain("select *" + SEEN + " order by s.id");
        isAsPlain("select s.d, count(*), max(s.v)" + SEEN + " group by s.d");
    }

    /** Prepared on the servers, from the fifth execution on; and known for as long as the application runs. */
    @Test
    void whatIsPreparedFollowsTheTables() throws SQLException {
        List<String> queries = List.of(
                "select *" + SEEN + " order by s.id",
                "select s.n, s.id" + SEEN + " order by s.id desc limit 4",
                "select max(s.n), sum(s.n), count(*)" + SEEN,
                "select s.n, count(*)" + SEEN + " group by s.n order by 1");
        List<String> changes = List.of(
                "ALTER TABLE %1$s.seen ADD more text DEFAULT 'm'",
                "ALTER TABLE %1$s.seen ALTER n TYPE bigint",
                "ALTER TABLE %1$s.seen ALTER n TYPE numeric",
                "ALTER TABLE %1$s.seen DROP more",
                "ALTER TABLE %1$s.seen ALTER n TYPE int");
        try (Connection connection = cluster.routed.getConnection();
                ShardContext.Scope scope = ShardContext.open(ShardSet.all());
                PreparedStatement held = connection.prepareStatement(queries.get(0))) {
            for (String change : changes) {
                for (String sql : queries) {
                    for (int i = 0; i < 7; i++) {
                        cluster.all(sql);
                        held.executeQuery().close();
                    }
                }
                everywhere(change);
                for (String sql : queries) {
                    assertThat(cluster.all(sql)).as(change + sql).isEqualTo(cluster.plain(sql));
                }
                assertThat(held.executeQuery().getMetaData().getColumnCount())
                        .isEqualTo(cluster.plainLabels(queries.get(0)).size());
            }
        }
    }

    @Test
    void aTransactionThatHasWrittenGoesOn() throws SQLException {
        String photo = "select p.* from sharded_id_shard.photo p where p.id = 3";
        cluster.all(photo);
        try (Connection connection = cluster.routed.getConnection()) {
            connection.setAutoCommit(false);
            try (ShardContext.Scope scope = ShardContext.open(0);
                    Statement statement = connection.createStatement()) {
                statement.execute("INSERT INTO sharded_id_shard.seen (id) VALUES (16)");
            }
            for (int shard = 0; shard < 6; shard++) {
                in(shard, "ALTER TABLE %1$s.photo ADD more int DEFAULT 5");
            }
            assertThat(ManyShards.query(connection, ShardSet.all(), photo))
                    .singleElement()
                    .asString()
                    .endsWith("|5|");
            in(3, "ALTER TABLE %1$s.photo DROP more");
            assertThatExceptionOfType(SQLException.class)
                    .isThrownBy(() -> ManyShards.query(connection, ShardSet.all(), photo))
                    .withMessageContaining("migration of all shards");
            assertThat(ManyShards.query(connection, ShardSet.all(), "select *" + SEEN))
                    .hasSize(7);
            connection.rollback();
        }
    }

    @Test
    void aTableBecomesAViewAndATableAgain() throws SQLException {
        String sql = "select s.id, s.name" + SEEN + " order by s.id";
        isAsPlain(sql);
        String view =
                "ALTER TABLE %1$s.seen RENAME TO kept; CREATE VIEW %1$s.seen AS SELECT id, name, words, n FROM %1$s.kept";
        String table = "DROP VIEW %1$s.seen; ALTER TABLE %1$s.kept RENAME TO seen";
        for (int shard : new int[] {3, 2}) {
            in(shard, view);
            isRefused(sql);
            assertThat(cluster.in(ShardSet.all().perShard(), sql)).isEqualTo(cluster.plain(sql));
            in(shard, table);
            isAsPlain(sql);
        }
        everywhere(view);
        isRefused(sql, "The view seen");
        everywhere(table);
        isAsPlain(sql);
    }
}
