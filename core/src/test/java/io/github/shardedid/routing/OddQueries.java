package io.github.shardedid.routing;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random queries over photos and comments, with what a query over several shards may get wrong. */
final class OddQueries {
    private static final String PHOTO = "sharded_id_shard.photo";
    private static final String COMMENT = "sharded_id_shard.comment";
    private static final List<String> COLUMNS = List.of(
            "p.id",
            "p.views",
            "p.views v",
            "p.views AS \"V\"",
            "-p.views v",
            "- p.views /* c */ as views",
            "p.score as views",
            "p.views::int8",
            "p.views::double precision v",
            "views",
            "lower(p.caption) caption",
            "p.caption collate \"C\" v",
            "coalesce(p.views, -1) views",
            "case when p.views > 1. then 1 else 0 end v",
            "p.views is null v",
            "(select count(*) from " + COMMENT + " c where c.photo_id = p.id) n",
            "(select max(c.stars) from " + COMMENT + " c where p.id = c.photo_id and c.stars > 0.) v",
            "(select pg_catalog.max(q.views) from " + PHOTO + " q)",
            "(select max(q.views::int4) from " + PHOTO + " q where q.flag) v",
            "array(select c.stars from " + COMMENT + " c where c.photo_id = p.id order by c.id) v",
            "1",
            "p.*",
            "*",
            "p.*, p.views as v",
            "p.id, p.caption",
            "c.id",
            "p",
            "(select x.words from (select c.* from " + COMMENT
                    + " c where c.photo_id = p.id order by c.id limit 1) x) v",
            "p.count",
            "count(*) over ()",
            "unnest(array[p.views, 1])");
    private static final List<String> AGGREGATES = List.of(
            "count(*)",
            "\"count\"(*)",
            "pg_catalog.max(p.views)",
            "sum(p.score)",
            "sum(p.views) filter (where p.flag)",
            "min(p.at), max(distinct p.views)",
            "json_agg(p.id)",
            "bool_or(p.flag)",
            "count(distinct p.views)",
            "max(p.views) + 1",
            "\"max\"(p.views), min(p.day) d",
            "stddev(p.views)",
            "avg(p.views) n",
            "pg_catalog.avg(p.views::float8)",
            "avg(distinct p.views)",
            "count(distinct p.id)",
            "count(distinct p.caption), count(*)",
            "sum(distinct p.views) s, count(distinct p.flag), avg(p.views), max(p.at)",
            "count(distinct p.views) filter (where p.flag)",
            "count(distinct c.photo_id)",
            "string_agg(p.caption, '' order by p.views, p.caption)",
            "max(p.caption)",
            "(select max(p.views))",
            "coalesce(-max(p.views) , 3)::int8 v",
            "case when count(*) > 3 then 1 end",
            "bool_and(p.flag and (p.views > 0))",
            "array_agg(p.id)",
            "p.count",
            "1 as one, count(*)",
            "sum(p.ratio + 0)");
    private static final List<String> TABLES = List.of(
            PHOTO + " p",
            PHOTO + " p",
            PHOTO + " p",
            PHOTO + " p",
            PHOTO + " as p",
            "only " + PHOTO + " p",
            PHOTO + " p join " + COMMENT + " c on c.photo_id = p.id",
            PHOTO + " p left join " + COMMENT + " c on p.id = c.photo_id and c.stars > 1",
            COMMENT + " c right join " + PHOTO + " p on p.id = c.photo_id",
            PHOTO + " p full join " + COMMENT + " c on p.id = c.photo_id",
            PHOTO + " p join " + COMMENT + " c on c.stars = p.views",
            PHOTO + " p left join " + COMMENT + " c on c.photo_id = p.id or c.stars = 1",
            PHOTO + " p cross join " + COMMENT + " c",
            "(select * from " + PHOTO + ") p",
            "(select q.*, 1 as n from " + PHOTO + " q) p",
            PHOTO + " p join (select * from " + COMMENT + ") c on c.photo_id = p.id",
            "(select * from " + PHOTO + " union all select * from " + PHOTO + ") p",
            "(select * from " + PHOTO + " union select * from " + PHOTO + ") p",
            "(select * from " + PHOTO + " order by id limit 5) p",
            "(select distinct q.* from " + PHOTO + " q) p",
            PHOTO + " p cross join generate_series(1, 2) g",
            "generate_series(1, 9) g left join " + PHOTO + " p on p.id = g",
            "generate_series(1, 9) g join " + PHOTO + " p on p.id = g",
            PHOTO + " p cross join lateral (select count(*) n from " + COMMENT + " c where c.photo_id = p.id) x",
            PHOTO + " p cross join (select count(*) n from " + COMMENT + " c) x",
            PHOTO + " p join (select c.photo_id as x from " + COMMENT + " c) y on y.x = p.id",
            PHOTO + " p cross join " + PHOTO + " q left join lateral (select 1 from " + COMMENT
                    + " c where c.photo_id = p.id and c.photo_id = q.id) y on true",
            PHOTO + " p join " + PHOTO + " q on p.views = q.views cross join lateral (select count(*) n from " + COMMENT
                    + " c where c.photo_id = p.id and c.photo_id = q.id) y ",
            PHOTO + " p join " + PHOTO + " q on q.id = p.id left join lateral (select c.stars from " + COMMENT
                    + " c where c.photo_id = p.id and c.photo_id = q.id) y on true");
    private static final List<String> CONDITIONS = List.of(
            "p.views > 1. ",
            "p.views = any (array[1, 2])",
            "p.views between 0 and 2 and p.flag",
            "not p.flag or p.views is distinct from 2",
            "exists (select from " + COMMENT + " where photo_id = p.id)",
            "exists (select 1 from " + COMMENT + " c where c.stars = p.views)",
            "exists (select 1 from " + COMMENT + " c)",
            "not exists (select 1 from " + COMMENT + " c where c.photo_id = p.id and c.stars > 0)",
            "not exists (select 1 from " + COMMENT + " c where c.stars = p.views)",
            "not exists (select 1 from " + COMMENT + " c left join " + PHOTO
                    + " q on q.id = c.photo_id and q.id = p.id)",
            "p.id in (select c.photo_id from " + COMMENT + " c where c.stars > 0)",
            "p.id not in (select c.photo_id from " + COMMENT + " c)",
            "(p.id in (select c.photo_id from " + COMMENT + " c)) is null",
            "not (p.id in (select c.photo_id from " + COMMENT + " c))",
            "p.views in (select c.stars from " + COMMENT + " c where c.photo_id = p.id)",
            "p.views in (select c.stars from " + COMMENT + " c)",
            "p.views not in (select c.stars from " + COMMENT + " c where c.photo_id = p.id)",
            "p.id = (select max(c.photo_id) from " + COMMENT + " c)",
            "p.id = (select max(c.photo_id) from " + COMMENT + " c where c.photo_id = p.id)",
            "p.views > (select avg(q.views) from " + PHOTO + " q)",
            "p.views >= all (select c.stars from " + COMMENT + " c)",
            "p.id in (select p.id from " + COMMENT + " c where c.stars > 1)",
            "exists (select 1 from " + COMMENT + " c left join lateral (select 1 where c.photo_id = p.id) y on true)",
            "not exists (select 1 from " + COMMENT + " c join " + COMMENT
                    + " d on d.photo_id = c.photo_id where c.photo_id = p.id and d.stars = 1)",
            "p.views = -- it's\r 1",
            "p.caption /* ; /* ' */ */ like 'a%' escape '!'");
    private static final List<String> KEYS = List.of(
            "v",
            "\"V\"",
            "views",
            "score",
            "1",
            "(2)",
            "2 desc",
            "n desc nulls last",
            "p.views",
            "p.views desc",
            "-views",
            "v + 0",
            "caption",
            "caption collate \"C\"",
            "lower(p.caption collate \"C\")",
            "p.caption COLLATE pg_catalog.\"C\" desc",
            "p.score",
            "p.views using >",
            "count(*)",
            "(views) nulls first",
            "V",
            "p.flag, p.day",
            "coalesce(p.views, 0)",
            "(select min(c.stars) from " + COMMENT + " c where c.photo_id = p.id)",
            "(select min(c.words) from " + COMMENT + " c where c.photo_id = p.id and c.words > 'a' collate \"C\")");
    private static final List<String> GROUPS = List.of(
            "p.views",
            "p.flag",
            "1",
            "2, 1",
            "v",
            "views",
            "p.id",
            "p.flag, p.id",
            "c.photo_id",
            "c.id",
            "p.ctid",
            "(p.views)",
            "p.views, p.flag",
            "rollup (p.views)",
            "(p.views, p.flag)",
            "p.views + 1",
            "coalesce(p.views, 0), p.views is null");
    private static final List<String> HAVING = List.of(
            "true",
            "count(*) > 2",
            "p.flag",
            "not bool_or(p.flag)",
            "max(p.views) = any (array[1, 2])",
            "exists (select 1 from " + COMMENT + " c)",
            "count(distinct p.views) > 1",
            "p.views between -1 and 1");
    private static final List<String> ENDS = List.of(
            "",
            "",
            "",
            " limit 7",
            " fetch first 3 rows only",
            " fetch next row only",
            " offset 0 limit 5",
            " limit all",
            " limit 1 offset 2",
            " fetch first 2 rows with ties",
            " for share",
            " limit 1 + 1");

    private OddQueries() {}

    /**
     * A query.
     *
     * @param ordered whether the order of its rows is total
     * @param bounded whether it may leave out rows
     */
    record Odd(String sql, boolean ordered, boolean bounded) {}

    static Odd next(Random random) {
        boolean aggregates = random.nextInt(4) == 0;
        List<String> items = new ArrayList<>();
        for (int i = random.nextInt(2); i >= 0; i--) {
            items.add(pick(random, aggregates ? AGGREGATES : COLUMNS));
        }
        String tables = pick(random, TABLES);
        StringBuilder sql = new StringBuilder(random.nextInt(12) == 0 ? "select distinct " : "select ");
        sql.append(String.join(", ", items)).append(" from ").append(tables);
        if (random.nextBoolean()) {
            sql.append(" where ").append(pick(random, CONDITIONS));
            if (random.nextInt(3) == 0) {
                sql.append(random.nextBoolean() ? " and " : " or ").append(pick(random, CONDITIONS));
            }
        }
        sql.append(random.nextInt(aggregates ? 3 : 15) == 0 ? " group by " + pick(random, GROUPS) : "");
        sql.append(random.nextInt(15) == 0 ? " having " + pick(random, HAVING) : "");
        boolean ordered = !aggregates && random.nextInt(3) > 0;
        if (ordered || random.nextInt(9) == 0) {
            sql.append(" order by ").append(pick(random, KEYS)).append(aggregates ? "" : ", p.id");
            boolean comments = (tables.contains(" c ") && !tables.contains("(")) || tables.contains(") c ");
            sql.append(!aggregates && comments ? ", c.id" : "");
        }
        String end = pick(random, ENDS);
        boolean total = ordered && !tables.contains("generate") && !tables.contains("union") && !tables.contains(" y ");
        boolean oneRow = aggregates && sql.indexOf(" group by ") < 0;
        return new Odd(sql + end, total || oneRow, !end.isEmpty());
    }

    private static String pick(Random random, List<String> values) {
        return values.get(random.nextInt(values.size()));
    }
}
