package io.github.shardedid.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** GROUP BY and DISTINCT over several shards: equal values of several shards are one group. */
@Tag("embedded-only")
class ScatterGroupsIntegrationTests extends ScatteredPhotos {
    private static final String PHOTOS = " from sharded_id_shard.photo p";

    @Test
    void equalKeysOfSeveralShardsAreOneGroup() throws SQLException {
        assertThat(cluster.all("select p.caption, count(*), min(p.id), max(p.id), sum(p.score)" + PHOTOS
                        + " where p.views < 2 group by p.caption"))
                .containsExactlyInAnyOrder("c0|6|0|5|3.0|", "c1|6|10|15|3.0|");
        assertThat(cluster.all("select distinct p.views, p.score" + PHOTOS + " order by p.views desc limit 2 offset 1"))
                .containsExactly("4|0.5|", "3|0.5|");
        assertThat(cluster.all("select p.views v, count(*) n" + PHOTOS + " group by 1 order by v limit ?", 1))
                .containsExactly("0|6|");
        assertThat(cluster.all("select p.views, count(*)" + PHOTOS + " group by p.views limit 0"))
                .isEmpty();
        assertThat(cluster.all("select p.views, count(*)" + PHOTOS + " where p.id < 0 group by p.views"))
                .isEmpty();
        assertThat(cluster.all("select distinct nullif(p.views, 0) as v" + PHOTOS
                        + " where p.views < 2 order by v nulls first"))
                .containsExactly("null|", "1|");
    }

    @Test
    void expressionsConditionsAndAveragesAreThoseOfOneTable() throws SQLException {
        assertThat(cluster.all(
                        "select p.views % 2 as odd, avg(p.views), avg(p.score), count(*) * 2 + ?" + PHOTOS
                                + " group by p.views % 2 having max(p.id) > ? order by 1 desc",
                        1,
                        50))
                .containsExactly("1|3.0000000000000000|0.50000000000000000000|37|");
        assertThat(cluster.all(
                        "select coalesce(avg(p.views::float8), -1), avg(p.views) filter (where p.id < 0)" + PHOTOS))
                .containsExactly("2.5|null|");
        assertThat(cluster.all("select count(*)" + PHOTOS + " having count(*) > 36"))
                .isEmpty();
        assertThat(cluster.all("select max(p.caption), min(upper(p.caption)), count(*)" + PHOTOS))
                .containsExactly("c5|C0|36|");
        assertThat(cluster.all("select count(*)" + PHOTOS + " group by p.caption order by p.caption desc limit 1"))
                .containsExactly("6|");
        assertThat(cluster.all("select distinct p.views > 2 as many, every(p.views > 1)" + PHOTOS
                        + " group by p.views order by many, 2 desc"))
                .containsExactly("f|t|", "f|f|", "t|t|");
        assertThat(cluster.all("select distinct to_jsonb(p.views)" + PHOTOS + " where p.views < 2"))
                .containsExactlyInAnyOrder("0|", "1|");
    }

    /** PostgreSQL adds numbers of type real as double precision, and the shards have rounded their sums. */
    @Test
    void whatWouldBeWrongIsRefused() {
        for (String sql : List.of(
                "select avg(p.views::real)" + PHOTOS,
                "select sum(p.views * interval '1 day'), 1" + PHOTOS,
                "select distinct p.views * interval '1 day'" + PHOTOS,
                "select p.id, p.views, count(*)" + PHOTOS + " group by p.id",
                "select p.id, count(*)" + PHOTOS + " group by p.id offset 5")) {
            assertThatExceptionOfType(UnmergeableQueryException.class).as(sql).isThrownBy(() -> cluster.all(sql));
        }
    }

    /** What the transaction has written is in its groups, and a failure of their condition is one of the query. */
    @Test
    void groupsWithinATransactionThatHasWritten() throws SQLException {
        try (Connection connection = cluster.routed.getConnection()) {
            connection.setAutoCommit(false);
            try (ShardContext.Scope scope = ShardContext.open(0);
                    Statement statement = connection.createStatement()) {
                statement.executeUpdate("INSERT INTO sharded_id_shard.photo (id, views) VALUES (112, 9)");
            }
            assertThat(ManyShards.query(
                            connection,
                            ShardSet.all(),
                            "select p.views, avg(p.id)" + PHOTOS + " group by p.views having count(*) = 1"))
                    .containsExactly("9|112.0000000000000000|");
            connection.rollback();
        }
        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(() ->
                        cluster.all("select p.views" + PHOTOS + " group by p.views having 1 / (count(*) - 6) > 0"))
                .withMessageContaining("division by zero");
    }

    @Test
    void allGroupsOfAllShardsCount() throws SQLException {
        String sql =
                "select p.id, q.views, count(*)" + PHOTOS + ", sharded_id_shard.photo q group by p.id, q.views limit 3";
        assertThatExceptionOfType(UnmergeableQueryException.class)
                .isThrownBy(() -> cluster.in(ShardSet.all().perShard(), sql))
                .withMessageContaining("more than 50 rows");
    }

    /** Where such a collation says that texts are equal, their bytes may differ. */
    @Test
    void textsAreComparedByTheirCollation() throws SQLException {
        try (ManyShards other =
                new ManyShards(4, new ScatterOptions(1, 1, 1, Duration.ofSeconds(5), 50, 10_000, null))) {
            for (int shard = 0; shard < 4; shard++) {
                String table = "shard_000" + shard + ".photo";
                other.databases
                        .get(shard % 2)
                        .execute("CREATE COLLATION IF NOT EXISTS public.alike (provider = icu, locale ="
                                + " 'und-u-ks-level2', deterministic = false); ALTER TABLE " + table
                                + " ALTER caption TYPE text COLLATE public.alike; INSERT INTO " + table
                                + " (id, views, caption) VALUES (" + shard + ", 1, '" + "aBAb".charAt(shard) + "')");
            }
            assertThat(other.all("select count(*), max(upper(p.caption collate \"C\"))" + PHOTOS
                            + " group by p.caption order by p.caption"))
                    .containsExactly("2|A|", "2|B|");
            assertThat(other.all(IDS + " order by p.caption desc, p.id")).containsExactly("1|", "3|", "0|", "2|");
            other.databases
                    .get(1)
                    .execute("ALTER TABLE shard_0001.photo ALTER caption TYPE text; ALTER TABLE shard_0003.photo ALTER"
                            + " caption TYPE text");
            for (String sql : List.of(
                    "select distinct p.caption" + PHOTOS,
                    "select max(p.caption)" + PHOTOS,
                    IDS + " order by p.caption")) {
                assertThatExceptionOfType(UnmergeableQueryException.class)
                        .as(sql)
                        .isThrownBy(() -> other.all(sql))
                        .withMessageContaining("Texts that database pg1 compares by the collation [UTF8 f ")
                        .withMessageContaining("and database pg2 by [UTF8 t ")
                        .withMessageContaining("COLLATE \"C\"");
            }
            assertThat(other.all(IDS + " order by p.caption collate \"C\", p.id"))
                    .containsExactly("2|", "1|", "0|", "3|");
        }
    }
}
