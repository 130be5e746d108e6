package io.github.shardedid.routing.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.shardedid.routing.UnmergeableQueryException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScatterParserTests {
    private static final String PHOTO = "sharded_id_shard.photo p1_0";

    private static ScatterQuery parse(String sql) {
        return ScatterParser.parse(sql, SqlAnalysis.of(sql));
    }

    private static String one(String sql) {
        String text = parse(sql).inSchemas(List.of("shard_0001"), 9);
        return text.substring(text.indexOf("; ") + 2);
    }

    @Test
    void theOrderAndTheLimitAreInEveryArmAndAroundThem() {
        ScatterQuery query = parse("select p1_0.id,p1_0.caption from " + PHOTO
                + " where p1_0.views>? order by p1_0.at desc nulls last offset ? rows fetch first ? rows only");

        String arm =
                "(select p1_0.id,p1_0.caption, p1_0.at as sharded_id_key_1, p1_0.id as sharded_id_key_2 from %s.photo"
                        + " p1_0 where p1_0.views>? order by sharded_id_key_1 desc nulls last, sharded_id_key_2 asc nulls last"
                        + " limit 20)";
        assertThat(query.inSchemas(List.of("shard_0001", "shard_0007"), 20))
                .endsWith("; " + arm.formatted("shard_0001") + " union all " + arm.formatted("shard_0007")
                        + " order by sharded_id_key_1 desc nulls last, sharded_id_key_2 asc nulls last limit 20");
        assertThat(query.armParameters()).containsExactly(1);
        assertThat(query.parameters()).isEqualTo(3);
        assertThat(query.offset().parameter()).isEqualTo(2);
        assertThat(query.limit().parameter()).isEqualTo(3);
    }

    @Test
    void parametersFollowTheirExpressions() {
        ScatterQuery query =
                parse("select p1_0.id, ? from " + PHOTO + " where p1_0.a=? and p1_0.b ?? 'x' and p1_0.c='?'"
                        + " order by coalesce(p1_0.views,?), p1_0.id limit ?");

        assertThat(query.armParameters()).containsExactly(1, 3, 2);
        assertThat(query.limit().parameter()).isEqualTo(4);
        assertThat(query.shardsPerStatement(50)).isEqualTo(50);
        assertThat(query.shardsPerStatement(30_000)).isEqualTo(65_535 / 3);
    }

    @Test
    void namesAndNumbersOfColumnsAreResolvedInTheOrder() {
        assertThat(one("select p.id as x, lower(p.caption) c from sharded_id_shard.photo p order by X, 2 desc"))
                .contains(", p.id as sharded_id_key_1, lower(p.caption) as sharded_id_key_2 from")
                .contains("order by sharded_id_key_1 asc nulls last, sharded_id_key_2 desc nulls first limit 9")
                .doesNotContain("key_3");
        assertThat(one("select p.* from sharded_id_shard.photo p order by caption"))
                .contains("select p.*, caption as sharded_id_key_1 from")
                .doesNotContain("key_2");
        assertThat(one("select id from sharded_id_shard.photo p")).doesNotContain("order by");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "count(*)|SUM",
                "count(p.id) as n|SUM",
                "SUM(p.views) filter (where p.flag)|SUM",
                "min(p.at)|MIN",
                "max(distinct p.at)|MAX",
            })
    void aggregatesThatMerge(String item, String aggregate) {
        assertThat(parse("select " + item + " from sharded_id_shard.photo p order by 1")
                        .aggregates())
                .containsExactly(Aggregate.valueOf(aggregate));
    }

    @Test
    void existsMerges() {
        ScatterQuery query = parse(
                "select exists (select 1 from sharded_id_shard.photo p where p.views > ? fetch first 1 rows only)");
        assertThat(query.aggregates()).containsExactly(Aggregate.ANY);
        assertThat(query.armParameters()).containsExactly(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select p.id from sharded_id_shard.photo p where p.id in (select c.photo_id from sharded_id_shard.c c)",
                "select p.id from sharded_id_shard.photo p where (select count(1) from sharded_id_shard.c c where c.photo_id=p.id)>3",
                "select p.id from sharded_id_shard.photo p where not exists(select 1 from sharded_id_shard.c c where c.photo_id=p.id)",
                "select p.id from (select id, 1 as k from sharded_id_shard.a union all select id, 2 from sharded_id_shard.b) p",
                "select p.\"limit\", p.group from sharded_id_shard.photo p where p.for is not distinct from ? order by p.order",
                "select 'group by' /* union */ from sharded_id_shard.photo p -- for update",
                "select extract(year from at), trim(both from caption) from sharded_id_shard.photo;",
            })
    void goesToAllShards(String sql) {
        assertThat(parse(sql).aggregates()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "select distinct p.caption from sharded_id_shard.photo p|DISTINCT",
                "select p.caption, count(*) from sharded_id_shard.photo p group by p.caption|GROUP BY",
                "select p.caption from sharded_id_shard.photo p group by p.caption|GROUP BY",
                "select count(*) from sharded_id_shard.photo p having count(*)>3|HAVING",
                "select avg(p.views) from sharded_id_shard.photo p|average is sum and count",
                "select count(distinct p.caption) from sharded_id_shard.photo p|aggregate count(distinct p.caption)",
                "select coalesce(sum(p.views),0) from sharded_id_shard.photo p|aggregate coalesce(sum(p.views),0)",
                "select string_agg(p.caption, ',') from sharded_id_shard.photo p|aggregate string_agg",
                "select row_number() over (order by p.id) from sharded_id_shard.photo p|OVER",
                "select p.id from sharded_id_shard.a p union select p.id from sharded_id_shard.b p|UNION",
                "select p.id from sharded_id_shard.photo p for update|A lock",
                "select p.id from sharded_id_shard.photo p fetch first 3 rows with ties|WITH TIES",
                "select p.id from sharded_id_shard.photo p limit 2+3|number of rows or a parameter",
                "select p.id from photo p|without the shard's schema",
                "select p.id from sharded_id_shard.photo p join author a on a.id=p.author_id|without the shard's schema",
                "with x as (select 1) select p.id from sharded_id_shard.photo p|plain SELECT",
                "update sharded_id_shard.photo set views=1|A write",
                "insert into sharded_id_shard.photo values (1)|A write",
                "delete from sharded_id_shard.photo|A write",
                "select nextval('sharded_id_shard.s')|A write",
                "select p.id from sharded_id_shard.photo p; select 1|More than one statement",
                "select p.* from sharded_id_shard.photo p order by 2|Order by the column's name",
                "select p.id from sharded_id_shard.photo p order by p.id using >|USING",
                "select p.id from sharded_id_shard.photo p where p.views=(select max(q.views) from sharded_id_shard.photo q)|subselect",
                "select p.id from sharded_id_shard.photo p where exists(select 1 from sharded_id_shard.settings s)|subselect",
                "select count(*) from (select distinct q.a from sharded_id_shard.photo q) p|subselect",
                "select count(*) from (select q.a from sharded_id_shard.photo q limit 5) p|subselect",
                "set search_path to x|plain SELECT",
            })
    void isRefusedByName(String sql, String message) {
        assertThatExceptionOfType(UnmergeableQueryException.class)
                .isThrownBy(() -> parse(sql))
                .withMessageContaining(message)
                .withMessageContaining("Nothing was sent");
    }
}
