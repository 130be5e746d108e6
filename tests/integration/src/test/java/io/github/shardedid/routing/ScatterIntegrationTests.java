package io.github.shardedid.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a query over several shards returns. */
@Tag("quick")
class ScatterIntegrationTests extends ScatteredPhotos {
    @Test
    void rowsOfAllShardsComeInOrder() throws SQLException {
        assertThat(cluster.all(IDS + " order by p.id desc fetch first ? rows only", 4))
                .containsExactly("55|", "54|", "53|", "52|");
        assertThat(cluster.all(IDS + " order by p.id offset ? rows fetch first ? rows only", 0, 3))
                .containsExactly("0|", "1|", "2|");
        assertThat(cluster.all(IDS)).hasSize(36);
        assertThat(cluster.all(IDS + " limit 0")).isEmpty();
    }

    @Test
    void someShardsOnly() throws SQLException {
        assertThat(cluster.in(ShardSet.of(Set.of(3, 4)), IDS + " where p.id < 20 order by p.id"))
                .containsExactly("3|", "4|", "13|", "14|");
        assertThatThrownBy(() -> cluster.in(ShardSet.of(Set.of(3, 6)), IDS))
                .hasMessageContaining("shard 6")
                .hasMessageContaining("0 to 5");
        assertThatThrownBy(() -> ShardSet.of(Set.of())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aStatementForTwoShardsIsOneTurnAndOnlyReads() throws SQLException {
        String sums = "select sum(p.views), sum(p.id), max(p.made) from sharded_id_shard.photo p";
        cluster.all(sums);
        cluster.resetTaps();
        cluster.all(sums);
        assertThat(cluster.turns()).as("with one that merges").isEqualTo(5);
        String first = IDS + " order by p.at desc, p.id limit 3";
        cluster.all(first);
        cluster.resetTaps();
        cluster.all(first);
        assertThat(cluster.taps).allSatisfy(tap -> assertThat(tap.turns()).isEqualTo(2));
        assertThat(cluster.sent())
                .filteredOn(text -> text.contains("from shard_0002.photo"))
                .hasSize(1)
                .first()
                .asString()
                .contains("shard_0000.photo");
        String sneak = "select sharded_id_shard.sneak(p.id) from sharded_id_shard.photo p";
        assertThatExceptionOfType(UnsupportedStatementException.class)
                .isThrownBy(() -> cluster.all(sneak))
                .withMessageContaining("The function sneak");
        assertThatThrownBy(() -> cluster.in(ShardSet.all().perShard(), sneak))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("only reads")
                .hasMessageContaining("of database pg");
        assertThat(cluster.all(IDS)).hasSize(36);
        try (Connection connection = cluster.pools.get(0).getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("show transaction_read_only")) {
            rows.next();
            assertThat(rows.getString(1)).as("later, on the pool's connection").isEqualTo("off");
        }
    }

    @Test
    void theSameQueryStaysPreparedOnTheServers() throws SQLException {
        String sql = IDS + " where p.views >= ? order by p.id desc limit ?";
        for (int i = 0; i < 8; i++) {
            cluster.all(sql, i % 3, 4);
        }
        cluster.resetTaps();
        assertThat(cluster.all(sql, 5, 4)).containsExactly("55|", "54|", "53|", "52|");
        assertThat(cluster.sent()).as("texts of statements").isEmpty();
        assertThat(cluster.taps).allSatisfy(tap -> assertThat(tap.turns()).isEqualTo(2));
    }

    @Test
    void aggregatesAreReadLikeTheDatabasesOwn() throws SQLException {
        try (Connection connection = cluster.routed.getConnection();
                ShardContext.Scope scope = ShardContext.open(ShardSet.all());
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) as n, sum(p.score), max(p.id), min(p.day),"
                        + " sum(p.ratio) from sharded_id_shard.photo p")) {
            assertThat(row.next()).isTrue();
            assertThat(row.getLong("n")).isEqualTo(36);
            assertThat(row.getInt(1)).isEqualTo(36);
            assertThat(row.getObject(1)).isEqualTo(36L);
            assertThat(row.getBigDecimal(2)).isEqualByComparingTo(new BigDecimal("18"));
            assertThat(row.getString(2)).isEqualTo("18.0");
            assertThat(row.getLong(3)).isEqualTo(55);
            assertThat(row.getObject(4)).isNull();
            assertThat(row.wasNull()).isTrue();
            assertThat(row.getDouble(5)).isZero();
            assertThat(row.wasNull()).isTrue();
            assertThat(row.next()).isFalse();
        }
    }

    @Test
    void theColumnsThatCarryTheOrderAreNotShown() throws SQLException {
        try (Connection connection = cluster.routed.getConnection();
                ShardContext.Scope scope = ShardContext.open(ShardSet.all());
                PreparedStatement statement = connection.prepareStatement(
                        "select p.caption as words from sharded_id_shard.photo p order by p.views desc, p.id limit 1");
                ResultSet rows = statement.executeQuery()) {
            assertThat(rows.getMetaData().getColumnCount()).isEqualTo(1);
            assertThat(rows.getMetaData().getColumnLabel(1)).isEqualTo("words");
            assertThatThrownBy(rows::isBeforeFirst).isInstanceOf(SQLFeatureNotSupportedException.class);
            assertThatThrownBy(() -> rows.getString(1)).hasMessageContaining("no current row");
            assertThat(rows.next()).isTrue();
            assertThat(rows.getString("words")).isEqualTo("c5");
            assertThat(rows.getStatement()).isSameAs(statement);
            assertThat(statement.getConnection()).isSameAs(connection);
            assertThat(rows.next()).isFalse();
            assertThatThrownBy(rows::previous).isInstanceOf(SQLFeatureNotSupportedException.class);
        }
    }

    @Test
    void arraysAndPlainStatements() throws SQLException {
        try (Connection connection = cluster.routed.getConnection();
                ShardContext.Scope scope = ShardContext.open(ShardSet.all());
                PreparedStatement statement =
                        connection.prepareStatement(IDS + " where p.id + 0 = any (?) order by p.id");
                Statement plain = connection.createStatement()) {
            Array ids = connection.createArrayOf("bigint", new Object[] {5L, 31L, 99L});
            statement.setArray(1, ids);
            try (ResultSet rows = statement.executeQuery()) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getLong(1)).isEqualTo(5);
                assertThat(rows.next()).isTrue();
                assertThat(rows.next()).isFalse();
            }
            assertThat(plain.execute(IDS + " where p.id = 12")).isTrue();
            assertThat(plain.getResultSet().next()).isTrue();
            assertThatExceptionOfType(UnsupportedStatementException.class)
                    .isThrownBy(() -> plain.executeUpdate("delete from sharded_id_shard.photo"));
            assertThatThrownBy(() -> statement.setBinaryStream(1, null)).hasMessageContaining("read once");
            assertThatExceptionOfType(SQLFeatureNotSupportedException.class)
                    .isThrownBy(() -> plain.executeLargeUpdate(IDS));
            assertThatExceptionOfType(SQLFeatureNotSupportedException.class).isThrownBy(statement::executeLargeUpdate);
        }
    }

    /** What a name is, the catalogue says: an application's own aggregates, its functions and its views. */
    @Test
    void whatMayReadOtherRowsIsRefusedByTheCatalogue() throws SQLException {
        for (int shard = 0; shard < 6; shard++) {
            String schema = "shard_000" + shard + ".";
            cluster.databases
                    .get(shard % 2)
                    .execute("CREATE AGGREGATE " + schema + "largest(bigint) (SFUNC = int8larger,"
                            + " STYPE = bigint); CREATE FUNCTION " + schema
                            + "next(bigint) RETURNS bigint IMMUTABLE LANGUAGE sql AS"
                            + " 'SELECT $1 + 1'; CREATE FUNCTION " + schema
                            + "photos() RETURNS bigint STABLE LANGUAGE sql AS"
                            + " 'SELECT 1::bigint'; CREATE VIEW " + schema + "numbers AS SELECT count(*) AS n FROM "
                            + schema + "photo; CREATE FUNCTION " + schema
                            + "stddev(text) RETURNS bigint STABLE LANGUAGE sql AS 'SELECT 1::bigint'");
        }
        String from = " from sharded_id_shard.photo p where p.id < 10 order by p.id limit 1";
        assertThat(cluster.all("select sharded_id_shard.next(p.id)" + from)).containsExactly("1|");
        for (String sql : new String[] {
            "select sharded_id_shard.largest(p.id)" + from,
            "select p.id, stddev(p.views) from sharded_id_shard.photo p group by p.id",
            "select sharded_id_shard.photos()" + from,
            "select n.n from sharded_id_shard.numbers n",
            "select pg_catalog.json_agg(p.id)" + from,
            "select p.json_agg" + from,
            "select p.count" + from
        }) {
            assertThatExceptionOfType(UnsupportedStatementException.class)
                    .as(sql)
                    .isThrownBy(() -> cluster.all(sql));
        }
        assertThat(cluster.in(ShardSet.all().perShard(), "select n.n from sharded_id_shard.numbers n"))
                .containsOnly("6|")
                .hasSize(6);
    }

    @Test
    void sumsOfWhatIsNoNumberAreThoseOfPostgres() throws SQLException {
        String sum =
                "select sum(case when p.id < 1 then %s when p.id = 11 then %s else 1.5 end) from sharded_id_shard.photo p";
        assertThat(cluster.all(sum.formatted("'NaN'::numeric", "2"))).containsExactly("NaN|");
        assertThat(cluster.all(sum.formatted("'Infinity'::numeric", "2"))).containsExactly("Infinity|");
        assertThat(cluster.all(sum.formatted("'-Infinity'::numeric", "'Infinity'")))
                .containsExactly("NaN|");
        assertThatThrownBy(() -> cluster.all(sum.formatted("1e308::float8", "1e308::float8")))
                .hasMessageContaining("overflow");
    }

    @Test
    void textIsMergedInTheOrderOfItsCollation() throws SQLException {
        assertThat(cluster.all(IDS + " order by p.caption desc limit 7 offset 1"))
                .containsExactly("51|", "52|", "53|", "54|", "55|", "40|", "41|");
        assertThat(cluster.in(ShardSet.of(Set.of(1, 3)), IDS + " order by p.caption desc limit 2"))
                .containsExactly("51|", "53|");
        assertThat(cluster.all(IDS + " order by p.caption collate \"C\" desc limit 1"))
                .containsExactly("50|");
        assertThat(cluster.all("select max(p.caption) from sharded_id_shard.photo p"))
                .containsExactly("c5|");
    }

    @Test
    void tooManyRowsAreRefused() throws SQLException {
        cluster.all(IDS);
        cluster.resetTaps();
        assertThatThrownBy(() -> cluster.all(IDS + " where p.id = ?")).hasMessageContaining("parameter 1");
        assertThat(cluster.sent()).isEmpty();
        String twice = "select p.id from sharded_id_shard.photo p, sharded_id_shard.photo q where q.views < 2";
        assertThatExceptionOfType(UnsupportedStatementException.class)
                .isThrownBy(() -> cluster.all(twice))
                .withMessageContaining("A join of p and q");
        assertThatExceptionOfType(UnsupportedStatementException.class)
                .isThrownBy(() -> cluster.in(ShardSet.all().perShard(), twice))
                .withMessageContaining("more than 50 rows");
        assertThat(cluster.in(ShardSet.all().perShard(), twice + " limit 40")).hasSize(40);
    }

    @Test
    void aTransactionSeesWhatItWroteInWhicheverShard() throws SQLException {
        String changed = "select p.id from sharded_id_shard.photo p where p.views = 77";
        for (int shard : new int[] {1, cluster.shards - 1}) {
            try (Connection connection = cluster.routed.getConnection();
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                ShardContext.Scope scope = ShardContext.open(shard);
                assertThat(statement.executeUpdate("update sharded_id_shard.photo set views = 77"))
                        .isPositive();
                scope.close();
                int rows = ManyShards.query(connection, ShardSet.all(), changed).size();
                assertThat(rows).isPositive();
                assertThat(cluster.all(changed)).as("seen by others").isEmpty();
                assertThat(ManyShards.query(connection, ShardSet.all(), IDS)).hasSize(36);

                try (ShardContext.Scope again = ShardContext.open(shard)) {
                    assertThat(statement.executeUpdate("update sharded_id_shard.photo set views = 78"))
                            .as("written after the query")
                            .isEqualTo(rows);
                }
                assertThat(ManyShards.query(connection, ShardSet.all(), changed))
                        .isEmpty();
                connection.rollback();
            }
        }
    }

    /** A text does not show that a function writes. */
    @Test
    void aTransactionSeesWhatAFunctionWrote() throws SQLException {
        String changed = "select p.id from sharded_id_shard.photo p where p.views = 76";
        for (int shard : new int[] {1, cluster.shards - 1}) {
            try (Connection connection = cluster.routed.getConnection();
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                try (ShardContext.Scope scope = ShardContext.open(shard)) {
                    statement.execute("create function sharded_id_shard.touched() returns bigint language sql as"
                            + " 'with w as (update photo set views = 76 returning 1) select count(*) from w'");
                }
                connection.commit();
                try (ShardContext.Scope scope = ShardContext.open(shard)) {
                    assertThat(statement.execute("select sharded_id_shard.touched()"))
                            .isTrue();
                }

                assertThat(ManyShards.query(connection, ShardSet.all(), changed))
                        .isNotEmpty();
                assertThat(cluster.all(changed)).as("seen by others").isEmpty();
                connection.rollback();
                try (ShardContext.Scope scope = ShardContext.open(shard)) {
                    statement.execute("drop function sharded_id_shard.touched()");
                }
                connection.commit();
            }
        }
    }

    @Test
    void withinATransactionThatWroteAQueryOnlyReads() throws SQLException {
        try (Connection connection = cluster.routed.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            try (ShardContext.Scope scope = ShardContext.open(1)) {
                statement.executeUpdate("update sharded_id_shard.photo set views = 7 where id = 1");
            }
            assertThatThrownBy(() -> ManyShards.query(
                            connection,
                            ShardSet.all().perShard(),
                            "select sharded_id_shard.sneak(p.id) from sharded_id_shard.photo p"))
                    .hasMessageContaining("only reads");
            connection.rollback();
        }
    }

    @Test
    void aTransactionWithASnapshotDoesNotAskOthers() throws SQLException {
        try (Connection connection = cluster.routed.getConnection()) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            assertThatExceptionOfType(UnsupportedStatementException.class)
                    .isThrownBy(() -> ManyShards.query(connection, ShardSet.all(), IDS))
                    .withMessageContaining("snapshot");
            connection.rollback();
        }
    }
}
