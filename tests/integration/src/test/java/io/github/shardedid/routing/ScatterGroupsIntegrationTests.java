package io.github.shardedid.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** GROUP BY and DISTINCT over several shards: equal values of several shards are one group. */
@Tag("embedded-only")
@Tag("quick")
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
                "select p.views, p.id, count(*)" + PHOTOS + " group by p.views",
                "select p.views, count(*)" + PHOTOS + " group by p.views offset 5",
                "select p.tableoid, count(*)" + PHOTOS + " group by 1",
                "select \"tableoid\"" + PHOTOS + " group by 1",
                "select x.t, count(*) from (select p.tableoid as t" + PHOTOS + ") x group by x.t",
                "select max(x.t) from (select p.tableoid as t" + PHOTOS + ") x",
                "select distinct x.t" + PHOTOS + " cross join lateral (select p.tableoid as t) x",
                "select distinct p.ctid" + PHOTOS,
                "select max(p.xmin::text)" + PHOTOS,
                "select p.id" + PHOTOS + " order by p.ctid")) {
            assertThatExceptionOfType(UnsupportedStatementException.class)
                    .as(sql)
                    .isThrownBy(() -> cluster.all(sql));
        }
    }

    /** A group with the id of a row is in one shard, which computes all of it. */
    @Test
    void groupsOfOneShard() throws SQLException {
        assertThat(
                        cluster.all(
                                "select p.id, string_agg(p.caption, ''), max(p.caption) s, stddev_pop(p.views)" + PHOTOS
                                        + " where p.views > 3 group by p.id having count(*) = 1 order by s desc, p.id limit 2 offset 1"))
                .containsExactly("51|c5|c5|0|", "52|c5|c5|0|");
        cluster.resetTaps();
        assertThat(cluster.all("select distinct p.id, p.caption" + PHOTOS + " order by 1 desc limit 1"))
                .containsExactly("55|c5|");
        assertThat(cluster.sent())
                .filteredOn(text -> text.contains("photo p"))
                .allMatch(text -> text.contains("limit 1"));
        assertThat(cluster.all("select distinct p.caption, count(*)" + PHOTOS
                        + " group by p.id, p.caption order by 1 limit 1"))
                .containsExactly("c0|1|");
    }

    @Test
    void aggregatesOfDifferentIds() throws SQLException {
        assertThat(cluster.all("select count(distinct p.id), count(distinct p.id) + 1, max(distinct p.views)" + PHOTOS))
                .containsExactly("36|37|5|");
        for (String sql : List.of(
                "select count(distinct p.views)" + PHOTOS,
                "select sum(distinct p.id)" + PHOTOS,
                "select p.flag, avg(distinct p.views)" + PHOTOS + " group by p.flag")) {
            assertThatExceptionOfType(UnsupportedStatementException.class)
                    .as(sql)
                    .isThrownBy(() -> cluster.all(sql));
        }
    }

    /** EXISTS without a FROM would be one row for each shard. */
    @Test
    void anExistsOnly() throws SQLException {
        String exists = " exists (select 1" + PHOTOS + " where p.caption = 'c5' and p.id = 50)";
        for (String sql : List.of(
                "select" + exists,
                "select distinct" + exists,
                "select" + exists + " group by 1",
                "select" + exists + " having true",
                "select distinct" + exists + " order by 1 limit 1")) {
            for (ShardSet shards : List.of(ShardSet.all(), ShardSet.all().perShard())) {
                assertThatExceptionOfType(UnsupportedStatementException.class)
                        .as(sql)
                        .isThrownBy(() -> cluster.in(shards, sql));
            }
        }
    }

    @Test
    void anAggregateInTheOrderOnly() throws SQLException {
        for (ShardSet shards : List.of(ShardSet.all(), ShardSet.all().perShard())) {
            assertThat(cluster.in(shards, "select 1" + PHOTOS + " order by count(*)"))
                    .containsExactly("1|");
            assertThat(cluster.in(
                            shards, "select 1, 'a'" + PHOTOS + " order by coalesce(max(p.id), 1) desc, 1 limit 3"))
                    .containsExactly("1|a|");
        }
        assertThat(cluster.all("select 1" + PHOTOS + " where p.id < 0 order by count(*)"))
                .containsExactly("1|");
        assertThat(cluster.all("select 1" + PHOTOS + " order by count(*) limit 1 offset 1"))
                .isEmpty();
        assertThat(cluster.all("select max(p.caption)" + PHOTOS + " order by count(*)"))
                .containsExactly("c5|");
        assertThat(cluster.all(
                        "select max(p.caption), count(*)" + PHOTOS + " order by min(p.caption) || 'x', count(*) + ?",
                        1))
                .containsExactly("c5|36|");
        assertThat(cluster.all("select max(p.id)" + PHOTOS + " order by count(*)"))
                .containsExactly("55|");
        for (String sql : List.of(
                "select p.id" + PHOTOS + " order by count(*)",
                "select distinct 1" + PHOTOS + " order by count(*)",
                "select 1" + PHOTOS + " order by string_agg(p.caption, '')")) {
            assertThat(catchThrowable(() -> cluster.all(sql)))
                    .as(sql)
                    .isInstanceOfAny(SQLException.class, UnsupportedStatementException.class);
        }
    }

    /** Each statement has a time of its own, and the groups would be those of a statement. */
    @Test
    void groupsByTheTimeOfAStatement() throws SQLException {
        for (String sql : List.of(
                "select now() as at, count(*)" + PHOTOS + " group by 1",
                "select distinct current_timestamp, p.caption" + PHOTOS,
                "select distinct current_timestamp(3), localtime, localtimestamp" + PHOTOS,
                "select date_trunc('day', pg_catalog.now())::date, count(*)" + PHOTOS + " group by 1",
                "select count(*)" + PHOTOS + " group by current_date - p.day",
                "select distinct extract(year from age(p.made))" + PHOTOS,
                "select distinct transaction_timestamp()" + PHOTOS,
                "select distinct statement_timestamp()" + PHOTOS,
                "select distinct now() > ?::timestamptz" + PHOTOS,
                "select distinct timestamp 'now'" + PHOTOS,
                "select distinct 'today'::date" + PHOTOS,
                "select distinct cast(' Tomorrow ' as timestamp with time zone)" + PHOTOS,
                "select distinct x.d from (select now() as d, p.id" + PHOTOS + ") x",
                "select distinct n.d" + PHOTOS + " cross join now() as n(d)",
                "select distinct (select now() limit 1)" + PHOTOS,
                "select distinct 'yesterday' - p.made" + PHOTOS,
                "select distinct E'n\\x6fw'::timestamp" + PHOTOS,
                "select distinct '[12:00today,infinity)'::tsrange" + PHOTOS,
                IDS + " order by now() - p.made",
                IDS + " order by 'now' - p.made desc nulls last limit 3",
                IDS + " order by extract(epoch from age(p.made)), p.id",
                "select p.id, localtimestamp - p.made" + PHOTOS + " order by 2",
                "select x.id" + PHOTOS + " join (select q.id, now() - q.made d from sharded_id_shard.photo q) x"
                        + " on x.id = p.id order by x.d")) {
            assertThatExceptionOfType(UnsupportedStatementException.class)
                    .as(sql)
                    .isThrownBy(() -> cluster.all(sql));
        }
        assertThat(cluster.all("select p.id" + PHOTOS + " where p.id < 2 and (p.made is null or p.made < now())"
                        + " order by p.id"))
                .containsExactly("0|", "1|");
        assertThat(cluster.all("select distinct random() < 2" + PHOTOS)).containsExactly("t|");
    }

    /** PostgreSQL has no function of these names: they are of its grammar. */
    @Test
    void aggregatesThatAreNoFunctions() {
        for (String sql : List.of(
                "select json_arrayagg(p.caption)" + PHOTOS,
                "select json_arrayagg(p.caption) filter (where p.flag), 1" + PHOTOS,
                "select json_objectagg(p.caption, p.views)" + PHOTOS,
                "select 1" + PHOTOS + " order by json_arrayagg(p.caption)",
                "select (select max(p.views))" + PHOTOS,
                "select (select max(p.views) from sharded_id_shard.comment c)" + PHOTOS,
                "select (select max(views) from sharded_id_shard.comment c)" + PHOTOS,
                "select 1" + PHOTOS + " order by (select count(p.id))",
                "select p.id" + PHOTOS + " where exists (select 1 having max(p.id) > 1)")) {
            for (ShardSet shards : List.of(ShardSet.all(), ShardSet.all().perShard())) {
                assertThatExceptionOfType(UnsupportedStatementException.class)
                        .as(sql)
                        .isThrownBy(() -> cluster.in(shards, sql));
            }
        }
    }

    @Test
    void aggregatesOfSubselectsInEachShard() throws SQLException {
        String most = "(select max(q.views) from sharded_id_shard.photo q where q.caption = p.caption)";
        assertThat(cluster.in(ShardSet.all().perShard(), "select distinct " + most + PHOTOS + " where p.views = 5"))
                .containsExactly("5|");
        assertThat(cluster.in(
                        ShardSet.all().perShard(),
                        IDS + " where p.views = (select count(*) from sharded_id_shard.comment)"
                                + " order by p.id limit 2"))
                .containsExactly("0|", "1|");
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
        assertThatExceptionOfType(UnsupportedStatementException.class)
                .isThrownBy(() -> cluster.in(ShardSet.all().perShard(), sql))
                .withMessageContaining("more than 50 rows");
    }

    /** Where such a collation says that texts are equal, their bytes may differ. */
    @Test
    void textsAreComparedByTheirCollation() throws SQLException {
        try (ManyShards other = new ManyShards(4, new ScatterOptions(1, 1, Duration.ofSeconds(5), 50))) {
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
                assertThatExceptionOfType(UnsupportedStatementException.class)
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
