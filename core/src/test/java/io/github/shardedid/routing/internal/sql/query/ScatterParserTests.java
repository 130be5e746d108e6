package io.github.shardedid.routing.internal.sql.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.shardedid.routing.UnsupportedStatementException;
import io.github.shardedid.routing.internal.sql.ColocatedColumns;
import io.github.shardedid.routing.internal.sql.SqlAnalysis;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScatterParserTests {
    private static final String PHOTO = "sharded_id_shard.photo p1_0";

    private static final Map<String, Catalogue.Kind> FUNCTIONS = Map.of(
            "lower", Catalogue.Kind.PLAIN,
            "avg", Catalogue.Kind.AGGREGATE,
            "string_agg", Catalogue.Kind.AGGREGATE,
            "array_agg", Catalogue.Kind.AGGREGATE,
            "unnest", Catalogue.Kind.ROWS,
            "random", Catalogue.Kind.VOLATILE,
            "now", Catalogue.Kind.PLAIN,
            "sneak", Catalogue.Kind.UNKNOWN);
    private static final ColocatedColumns COLUMNS = new ColocatedColumns();

    static {
        COLUMNS.add(Map.of(
                "photo", Set.of("id", "author_id"),
                "author", Set.of("id"),
                "a", Set.of("id"),
                "b", Set.of("id"),
                "c", Set.of("id", "photo_id")));
    }

    private static ScatterQuery parse(String sql) {
        return parse(sql, false);
    }

    private static ScatterQuery parse(String sql, boolean perShard) {
        return ScatterParser.read(sql, perShard, SqlAnalysis.of(sql)).query(catalogue(Catalogue.Kind.PLAIN), COLUMNS);
    }

    private static Catalogue catalogue(Catalogue.Kind operators) {
        Map<String, Catalogue.Kind> known = new HashMap<>(FUNCTIONS);
        Catalogue.AGGREGATES.forEach(name -> known.put(name, Catalogue.Kind.AGGREGATE));
        known.put(Catalogue.OPERATORS, operators);
        return new Catalogue(known, Map.of(), 0);
    }

    /** What is sent for a condition, and its parameters: of a list, each shard is sent its own. */
    private static String lists(String condition) {
        ScatterQuery query = parse("select p1_0.id from " + PHOTO + " where " + condition);
        String sql = query.arm().inSchema("s");
        return sql.substring(sql.indexOf(" where ") + 7)
                + query.parameters().stream()
                        .map(each -> each.isList() ? "own" + each.parameters() + each.numbers() : "?")
                        .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "p1_0.views > ? and p1_0.id in (?, ?) | p1_0.views > ? and (p1_0.id = any (?))[?, own[2, 3][]]",
                "(p1_0.author_id in (?)) and p1_0.views in (?, ?) | ( (p1_0.author_id = any (?)) ) and p1_0.views in (?, ?)[own[1][], ?, ?]",
                "p1_0.id in (7, null ,-3) and p1_0.views in (1,2) | (p1_0.id = any (?)) and p1_0.views in (1,2)[own[][7, -3]]",
                "p1_0.id = any(?) and p1_0.author_id = some (array[?,?]) | (p1_0.id = any (?)) and (p1_0.author_id = any (?))[own[1][], own[2, 3][]]",
                "p1_0.id not in (?, ?) or p1_0.views = 1 | p1_0.id not in (?, ?) or p1_0.views = 1[?, ?]",
                "not (p1_0.id in (?, ?)) = true | not (p1_0.id in (?, ?)) = true[?, ?]",
                "p1_0.id <> all(?) | p1_0.id <> all(?)[?]",
                "p1_0.id in (? + 1) | p1_0.id in (? + 1)[?]",
                "p1_0.id in ((?) + (?)) | p1_0.id in ((?) + (?))[?, ?]",
                "p1_0.id in ('1') | (p1_0.id = any (?))[own[][1]]",
                "p1_0.id in (99999999999999999999) | p1_0.id in (99999999999999999999)[]",
                "p1_0.id <> any(?) | p1_0.id <> any(?)[?]",
                "p1_0.id = all(?) | p1_0.id = all(?)[?]",
                "p1_0.id = any(array(select 1)) | p1_0.id = any(array(select 1))[]",
                "p1_0.views = any(array[1, 2]) | p1_0.views = any(array[1, 2])[]",
                "? = any(?) | ? = any(?)[?, ?]",
                "p1_0.id + 0 in (?, ?) | p1_0.id + 0 in (?, ?)[?, ?]",
                "(p1_0.id) in (?,?) -- end | (p1_0.id = any (?))[own[1, 2][]]"
            })
    void ofAListOfIdsAShardNeedsItsOwn(String condition, String sent) {
        assertThat(lists(condition)).isEqualTo(sent);
    }

    private static List<Integer> numbers(ScatterQuery query) {
        return query.parameters().stream()
                .map(parameter -> parameter.parameters().get(0))
                .toList();
    }

    private static String one(String sql) {
        return parse(sql).inSchemas(List.of("shard_0001"), 9);
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
                .isEqualTo(arm.formatted("shard_0001") + " union all " + arm.formatted("shard_0007")
                        + " order by sharded_id_key_1 desc nulls last, sharded_id_key_2 asc nulls last limit 20");
        assertThat(numbers(query)).containsExactly(1);
        assertThat(Objects.requireNonNull(query.offset()).parameters()).containsExactly(2);
        assertThat(Objects.requireNonNull(query.limit()).parameters()).containsExactly(3);
    }

    @Test
    void parametersFollowTheirExpressions() {
        ScatterQuery query =
                parse("select p1_0.id, ? from " + PHOTO + " where p1_0.a=? and p1_0.b ?? 'x' and p1_0.c='?'"
                        + " order by coalesce(p1_0.views,?), p1_0.id limit ?");

        assertThat(numbers(query)).containsExactly(1, 3, 2);
        assertThat(Objects.requireNonNull(query.limit()).parameters()).containsExactly(4);
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
                .contains("select \"p\".*, caption as sharded_id_key_1 from")
                .doesNotContain("key_2");
        assertThat(one("select id from sharded_id_shard.photo p")).doesNotContain("order by");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "count(*)|cast(pg_catalog.sum(t.c1) as sharded_id_type_1_) as \"count\"",
                "count(distinct p.id)|cast(pg_catalog.sum(t.c1) as sharded_id_type_1_) as \"count\"",
                "SUM(p.views) filter (where p.flag)|cast(pg_catalog.sum(t.c1) as sharded_id_type_1_) as \"sum\"",
                "min(p.at)|pg_catalog.min(t.c1) as \"min\"",
                "max(distinct p.at) + 1|pg_catalog.max(t.c1) + 1 as \"?column?\"",
            })
    void aggregatesAreMergedByADatabase(String items, String merged) {
        assertThat(parse("select " + items + " from sharded_id_shard.photo p").merge())
                .extracting(GroupMerge::template)
                .isEqualTo("select " + merged + " from t");
    }

    /** What each shard is asked, and what a database makes of its answers. */
    @Test
    void groupsAreSplit() {
        ScatterQuery query = parse("select p.a + ? as v, avg(p.b) filter (where p.c > ?), \"max\"(p.d) + ? as m from"
                + " sharded_id_shard.photo p where p.e = ? group by 1 having count(*) > ? order by v desc, sum(p.f)");

        assertThat(query.inSchemas(List.of("shard_0001"), 9))
                .isEqualTo("select p.a + ?, pg_catalog.sum(p.b) filter (where p.c > ?), pg_catalog.count(p.b) filter"
                        + " (where p.c > ?), \"max\"(p.d), count(*), sum(p.f) from shard_0001.photo p where p.e = ?"
                        + " group by 1 limit 9");
        assertThat(numbers(query)).containsExactly(1, 2, 2, 4);
        GroupMerge merge = Objects.requireNonNull(query.merge());
        assertThat(merge.parameters()).containsExactly(3, 5);
        assertThat(merge.averages(2)).isTrue();
        assertThat(merge.averages(4)).isFalse();
        assertThat(merge.sql(List.of("int4", "int8", "int8", "int4", "int8", "float8")))
                .isEqualTo("select t.c1 as \"v\", (cast(pg_catalog.sum(t.c2) as pg_catalog.numeric) /"
                        + " cast(pg_catalog.sum(t.c3) as pg_catalog.numeric)) as \"avg\", pg_catalog.max(t.c4) + ? as \"m\""
                        + " from t group by t.c1 having cast(pg_catalog.sum(t.c5) as pg_catalog.int8) > ? order by 1"
                        + " desc, cast(pg_catalog.sum(t.c6) as pg_catalog.float8) asc");
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
                "select p.id from sharded_id_shard.photo p join sharded_id_shard.author a on a.id=p.author_id and a.x>1",
                "select p.id from sharded_id_shard.photo p left join sharded_id_shard.c c on c.photo_id=p.id where p.a=1",
                "select p.id from sharded_id_shard.photo p, sharded_id_shard.c c where c.photo_id=p.id and c.x=p.y",
                "select p.id from sharded_id_shard.photo p where exists(select from sharded_id_shard.c where photo_id=p.id)",
                "select p.id from sharded_id_shard.photo p where p.x not in(select c.x from sharded_id_shard.c c where c.photo_id=p.id)",
                "select p.id,(select max(c.x) from sharded_id_shard.c c where p.id=c.photo_id group by c.y limit 1) from sharded_id_shard.photo p",
                "select p.a between 1 and 2 and p.b is not null or not p.c = any (?), p.d::timestamp(3) with time zone at time zone 'UTC'"
                        + ", interval '1 day', date '2024-01-01', -p.x ^ 2, array[1,p.y][1], case p.z when 1 then 2 else 3 end, position(? in p.w)"
                        + " from only sharded_id_shard.photo as p",
            })
    void goesToAllShards(String sql) {
        assertThat(parse(sql).merge()).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "select distinct on (p.views) p.caption from sharded_id_shard.photo p|(at on)",
                "select distinct * from sharded_id_shard.photo p|a *",
                "select distinct p.* from sharded_id_shard.photo p|a *",
                "select distinct p.views + ? from sharded_id_shard.photo p order by p.views + ?|not grouped by",
                "select p.id, p.views, count(*) from sharded_id_shard.photo p group by p.id|not grouped by",
                "select count(distinct p.caption) filter (where p.flag) from sharded_id_shard.photo p|aggregate count(distinct p.caption)",
                "select p.views as v, count(*) from sharded_id_shard.photo p group by v|GROUP BY v",
                "select string_agg(distinct p.caption, ',') from sharded_id_shard.photo p|aggregate string_agg(distinct",
                "select p.views, (select 1), count(*) from sharded_id_shard.photo p group by p.views|The subselect",
                "select 1 from sharded_id_shard.photo p having true|HAVING without",
                "select p.views, count(*) from sharded_id_shard.photo p group by 3|GROUP BY 3",
                "select string_agg(p.caption, ',') from sharded_id_shard.photo p|aggregate string_agg",
                "select row_number() over (order by p.id) from sharded_id_shard.photo p|window function",
                "select p.id from sharded_id_shard.a p union select p.id from sharded_id_shard.b p|UNION",
                "select p.id from sharded_id_shard.photo p for update|A lock",
                "select p.id from sharded_id_shard.photo p fetch first 3 rows with ties|ROWS ONLY",
                "select p.id from sharded_id_shard.photo p limit 2+3|(at +)",
                "select p.id from photo p|without the shard's schema",
                "select p.id from sharded_id_shard.photo p join author a on a.id=p.author_id|without the shard's schema",
                "with x as (select 1) select p.id from sharded_id_shard.photo p|plain SELECT",
                "update sharded_id_shard.photo set views=1|A write",
                "insert into sharded_id_shard.photo values (1)|A write",
                "delete from sharded_id_shard.photo|A write",
                "select nextval('sharded_id_shard.s')|A write",
                "select p.id from sharded_id_shard.photo p; select 1|More than one statement",
                "select p.* from sharded_id_shard.photo p order by 2|name of the column",
                "select p.id from sharded_id_shard.photo p order by p.id using >|ASC or DESC",
                "select p.id from sharded_id_shard.photo p where p.views=(select max(q.views) from sharded_id_shard.photo q)|subselect",
                "select p.id from sharded_id_shard.photo p where exists(select 1 from sharded_id_shard.settings s)|subselect",
                "select count(*) from (select distinct q.a from sharded_id_shard.photo q) p|plain subselects",
                "select count(*) from (select q.a from sharded_id_shard.photo q limit 5) p|plain subselects",
                "select \"count\"(*), string_agg(p.a,'') from sharded_id_shard.photo p|aggregate string_agg",
                "select sharded_id_shard.count(*) from sharded_id_shard.photo p|aggregate sharded_id_shard.count",
                "select unknown(p.id) from sharded_id_shard.photo p|function unknown",
                "select unnest(p.tags) from sharded_id_shard.photo p|several rows",
                "select p.id, random() from sharded_id_shard.photo p order by 2|when it is computed again",
                "select p.id, p.a::int from sharded_id_shard.photo p order by a|may be a column of the result or of a table",
                "select p.a as x, p.b as x from sharded_id_shard.photo p order by x|may be a column of the result or of a table",
                "select p.id from sharded_id_shard.photo p where p.views=(select pg_catalog.max(q.views) from sharded_id_shard.photo q)|subselect",
                "select p.id from sharded_id_shard.photo p where p.views=(select max(q.views::x.y) from sharded_id_shard.photo q)|subselect",
                "select p.id from sharded_id_shard.photo p where p.views=(select max(q.views) from sharded_id_shard.photo q where q.x=p.x)|subselect",
                "select p.id from sharded_id_shard.photo p where not exists(select 1 from sharded_id_shard.c c where c.x=p.x)|perShard",
                "select p.id from sharded_id_shard.photo p where not exists(select 1 from sharded_id_shard.c c where c.photo_id=p.id or c.x=1)|subselect",
                "select p.id from sharded_id_shard.photo p where p.id not in(select c.photo_id from sharded_id_shard.c c)|subselect",
                "select p.id from sharded_id_shard.photo p where (p.id in(select c.photo_id from sharded_id_shard.c c)) is null|subselect",
                "select p.id from sharded_id_shard.photo p where p.id in(select c.photo_id from sharded_id_shard.c c limit 5)|subselect",
                "select p.id from sharded_id_shard.photo p where p.x in(select c.x from sharded_id_shard.c c)|subselect",
                "select p.id from sharded_id_shard.photo p where exists(select 1 from sharded_id_shard.c c left join sharded_id_shard.a d"
                        + " on d.id=c.id and d.id=p.id)|subselect",
                "select p.id from sharded_id_shard.photo p join sharded_id_shard.author a on a.name=p.name|A join of p and a",
                "select p.id from sharded_id_shard.photo p join sharded_id_shard.author a on a.id=p.author_id or p.x=1|A join of p and a",
                "select p.id from sharded_id_shard.photo p cross join sharded_id_shard.author a|A join of p and a",
                "select p.id from sharded_id_shard.photo p join sharded_id_shard.author a using (id)|ON with the two columns",
                "select x.y from unnest(?) x left join sharded_id_shard.photo p on p.id=x.y|A FROM with other than tables",
                "select p.id from sharded_id_shard.photo p join lateral (select c.id from sharded_id_shard.c c where c.photo_id=p.id) x on true|(at lateral)",
                "select p.id from sharded_id_shard.photo p full join sharded_id_shard.c c on c.photo_id=p.id|not known to merge",
                "select now() from sharded_id_shard.photo p|The current time",
                "select p.id from sharded_id_shard.photo p where p.a > current_date order by p.made > 'now'|The current time",
                "select p.ctid from sharded_id_shard.photo p|each shard's table has for itself",
                "select p from sharded_id_shard.photo p|whole row",
                "select count(distinct p.a) from sharded_id_shard.photo p|aggregate count",
                "select x.y from unnest(?) x where exists(select 1 from sharded_id_shard.photo p)|A FROM with other than tables",
                "select p.id from sharded_id_shard.photo p join pg_catalog.pg_class c on c.oid=p.id|A FROM with other than tables",
                "select p.id from (select c.id from sharded_id_shard.c c union all select 1) p|subselect",
                "select p.id from (select c.id from sharded_id_shard.c c union select a.id from sharded_id_shard.a a) p|plain subselects",
                "select exists(select 1 from sharded_id_shard.photo p)|without a table of the shards",
                "select p.id from sharded_id_shard.photo p where p.a similar 'x'|not known to merge",
                "select -p.views as views, p.* from sharded_id_shard.photo p order by views|ORDER BY views",
                "set search_path to x|plain SELECT",
            })
    void isRefusedByName(String sql, String message) {
        assertThatExceptionOfType(UnsupportedStatementException.class)
                .isThrownBy(() -> parse(sql))
                .withMessageContaining(message)
                .withMessageContaining("Nothing was sent");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select (select count(p.id)) from sharded_id_shard.photo p",
                "select array(select max(p.views)) from sharded_id_shard.photo p",
                "select exists(select max(p.views)) from sharded_id_shard.photo p",
                "select (select sum(p.views) from sharded_id_shard.c c where c.photo_id=p.id) from sharded_id_shard.photo p",
                "select (select sum(views) from sharded_id_shard.c c where c.photo_id=p.id) from sharded_id_shard.photo p",
                "select (select avg(p.views + 1) filter (where p.id>1) from sharded_id_shard.c c where c.photo_id=p.id)"
                        + " from sharded_id_shard.photo p",
                "select p.id from sharded_id_shard.photo p where p.views=(select (select max(c.x)) from sharded_id_shard.c c"
                        + " where c.photo_id=p.id)",
            })
    void anAggregateOfAnOuterQueryIsRefused(String sql) {
        assertThatExceptionOfType(UnsupportedStatementException.class)
                .isThrownBy(() -> parse(sql))
                .withMessageContaining("may be one of the outer query");
    }

    @Test
    void anAggregateOfASubselectsOwnRows() {
        assertThat(parse(
                                "select p.id, (select sum(c.x + p.views) from sharded_id_shard.c c where c.photo_id=p.id),"
                                        + " (select count(*) from sharded_id_shard.c c where c.photo_id=p.id) from sharded_id_shard.photo p")
                        .merge())
                .isNull();
    }

    @Test
    void replicatedTablesAreJoinedInEachShard() {
        String role = "Sharded_Id_Replicated.role";
        String photo = "Sharded_Id_Shard.photo";
        for (String sql : List.of(
                "select p.id from " + photo + " p join " + role + " r on r.id=p.role_id where r.name='x'",
                "select p.id,r.name from " + photo + " p left join " + role + " r on r.id=p.role_id",
                "select p.id from " + role + " r," + photo + " p where r.id=p.role_id",
                "select count(*) from " + role + " r join " + photo + " p on r.id=p.role_id",
                "select p.id from " + photo + " p where exists (select 1 from " + role + " r where r.id=p.role_id)")) {
            assertThat(ScatterParser.read(sql, false, SqlAnalysis.of(sql, "reference"))
                            .query(catalogue(Catalogue.Kind.PLAIN), COLUMNS)
                            .arm()
                            .inSchema("s"))
                    .contains("reference.role")
                    .contains("s.photo");
        }
        for (String sql : List.of(
                "select r.id from " + role + " r left join " + photo + " p on r.id=p.role_id",
                "select r.id from " + role + " r where exists (select 1 from " + photo + " p where p.role_id=r.id)",
                "select r.id from " + role + " r where r.id in (select p.role_id from " + photo + " p)",
                "select x.id from (select r.id from " + role + " r) x join " + photo + " p on p.role_id=x.id",
                "select p.id from " + photo + " p join " + role + " r on r.id=p.role_id join " + photo
                        + " q on q.role_id=r.id")) {
            assertThatExceptionOfType(UnsupportedStatementException.class)
                    .as(sql)
                    .isThrownBy(() -> parse(sql));
        }
    }

    @Test
    void operatorsAndCastsOfTheApplicationAreRefused() {
        String sql = "select p.id from sharded_id_shard.photo p where p.a @@@ cast(p.b as x)";
        assertThatExceptionOfType(UnsupportedStatementException.class)
                .isThrownBy(() -> ScatterParser.read(sql, false, SqlAnalysis.of(sql))
                        .query(catalogue(Catalogue.Kind.UNKNOWN), COLUMNS))
                .withMessageContaining("function of your own");
    }

    @Test
    void eachShardByItselfIfThatIsMeant() {
        String sql = "select count(*) from sharded_id_shard.photo p where p.views=(select max(q.views) from"
                + " sharded_id_shard.photo q) and sneak(p.id) and not exists (select 1 from x.y where true)";
        assertThat(parse(sql, true).merge()).isNotNull();
        assertThatExceptionOfType(UnsupportedStatementException.class)
                .isThrownBy(() -> parse("select string_agg(p.a, ',') from sharded_id_shard.photo p", true));
    }

    @Test
    void anAliasWithoutAsAndOneInParenthesesIsSortedBy() {
        assertThat(one("select -p.views v, p.id from sharded_id_shard.photo p order by (v), (2) desc"))
                .contains(", -p.views as sharded_id_key_1, p.id as sharded_id_key_2 from");
        assertThat(one("select p.a::double precision v from sharded_id_shard.photo p order by v"))
                .contains(", p.a::double precision as sharded_id_key_1 from");
        assertThat(one("select -p.views v from sharded_id_shard.photo p order by v + 0, v collate \"C\""))
                .contains(", v + 0 as sharded_id_key_1, v collate \"C\" as sharded_id_key_2 from");
    }

    @Test
    void onlyACollationOfTheKeyItselfCounts() {
        String from = " from sharded_id_shard.photo p order by ";
        assertThat(parse("select p.id" + from + "p.a collate \"C\", (p.a collate pg_catalog.\"C\")")
                        .keys())
                .extracting(SortKey::binary)
                .startsWith(true, true);
        assertThat(parse("select p.id" + from
                                + "(select c.x from sharded_id_shard.c c where c.photo_id=p.id and c.x>'a' collate \"C\")"
                                + ", p.a collate x.\"C\", coalesce(p.a, 'x' collate \"C\"), lower(p.a collate \"C\")")
                        .keys())
                .extracting(SortKey::binary)
                .containsExactly(false, false, false, false, false);
    }
}
