package io.github.shardedid.routing.internal.sql.ids;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import java.math.BigInteger;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WrittenIdsTests {
    private static final ColocatedColumns COLUMNS = new ColocatedColumns();

    static {
        COLUMNS.add(Map.of("photo", Set.of("id", "author_id"), "photo_tags", Set.of("photo_id")));
    }

    private static Map<Integer, String> parameters(String sql) {
        return in(sql).parameters();
    }

    private static WrittenIds in(String sql) {
        return WrittenIdsReader.in(new SqlText(sql), COLUMNS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO sharded_id_shard.photo (caption, id) VALUES (?, ?)",
                "insert into Photo as p (caption, id) values (?, ?)",
                "insert into photo p (caption, id) overriding system value values (?, cast(? as bigint))",
                "insert into \"photo\" (caption, \"id\") values (upper(?), ?::bigint)",
                "insert into photo (caption, id) select distinct ?, (?) from x",
                "insert into photo (caption, id) (select ?, ?)",
                "insert into photo (caption, id) with a as (select ?) select x, ? from a",
                "with a as (insert into photo (caption, id) values (?, ?) returning id) select * from a",
                "UPDATE photo SET caption = ?, id = ? WHERE id = ?",
                "update only shard_0001.photo p set caption = ?, id = ?",
                "insert into photo (caption) values (?) on conflict (id) do update set id = ?",
                "merge into photo using t on ? when not matched then insert (caption, id) values (x, ?)",
                "merge into photo using t on ? when matched then update set id = ? when not matched then do nothing"
            })
    void parametersThatWriteIds(String sql) {
        assertThat(parameters(sql)).isEqualTo(Map.of(2, "photo.id"));
    }

    @Test
    void eachRowAndEachColumnIsRead() {
        assertThat(parameters("insert into photo (id, caption, author_id) values (?, ?, ?), (?, ?, ?)"))
                .isEqualTo(Map.of(1, "photo.id", 3, "photo.author_id", 4, "photo.id", 6, "photo.author_id"));
        assertThat(parameters("insert into photo (id) select ? union all select ?"))
                .isEqualTo(Map.of(1, "photo.id", 2, "photo.id"));
        assertThat(parameters("insert into photo_tags (tag, photo_id) values (?, ?)"))
                .isEqualTo(Map.of(2, "photo_tags.photo_id"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "insert into stats (id) values (?)",
                "insert into sharded_id_global.photo (id) values (?)",
                "insert into photo (caption) select ? + 1",
                "insert into photo default values",
                "insert into photo (caption, id) values (?, default)",
                "insert into photo (caption, id) values (?, null::bigint)",
                "insert into photo (caption, id) values (?, next_id('photo2_id_seq'))",
                "insert into photo (caption, id) select ?, next_id('s') from generate_series(1, ?) g",
                "insert into photo (caption, id) select ?, a.id from photo a join x b on (a.id = b.id and b.y > ?) where b.z = 5",
                "insert into photo (caption, id) select ?, (select max(id) from photo)",
                "insert into photo (caption, id) select v.c, v.id from (select ? as c, id from photo where x = 7) v",
                "insert into photo (id, caption) values (default, ?) on conflict (id) do update set id = excluded.id, caption = ?",
                "insert into photo (caption, id) select v.c, id from photo, (select ? as c) v",
                "insert into photo (caption, id) select v.c, j.id from (select ? as c) v, (a join b using (id)) as j",
                "insert into photo (id, caption) values (default, ?) on conflict (id) do update set (id, caption) = (select x.id, excluded.caption from x)",
                "insert into photo (caption, id) select 'x', a.id from photo a join x b using (id) tablesample system (5)",
                "update photo p set caption = ?, author_id = a.id from author a where a.x = ?",
                "update photo set caption = ? where id = ?",
                "update photo p set author_id = (select a.id from author a where a.x = ? and a.y = p.y order by a.id limit 1)",
                "insert into photo (id, caption) values ((select max(x.id) from x where x.y = 5), ?)",
                "update photo set caption = (select name from x where id = ?)",
                "update photo set caption = case when x is distinct from ? then ? else 'x' end where id = ?",
                "delete from photo where id = ?",
                "select id from photo where id = ? for update",
                "select id from photo where id = ? for no key update of photo",
            })
    void otherParameters(String sql) {
        assertThat(in(sql)).isSameAs(WrittenIds.NONE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "update photo set caption = case when x > 0 then 1 else 0 end, id = ?",
                "update photo set caption = case when x then case when y then 1 end end, id = ?",
                "update photo set caption = a is not distinct from b, id = ?",
                "update photo set caption = excluded.from, id = ?",
                "update photo set caption = x ?? 'a', id = ?",
                "update only (photo) as set set id = ?",
                "update photo * set id = ? from x where id = 3",
                "update photo set (id, caption) = (?, 'x')",
                "update photo set (caption, id) = row('x', (?))",
                "update photo set (id) = row(?)",
                "update photo set id = (select ? from x limit 1)",
                "update photo set id = (select v.a from (select ? a) v limit 1)",
                "with q as (select ? a) update photo set id = (select a from q limit 1)",
                "insert into photo (id) values ((select ?))",
                "update photo set (id, caption) = (select ?, 'x')",
                "update photo set (id, caption) = ((values (?, 'x')))",
                "insert into photo (caption, id) select 1 is distinct from 2, ?",
                "insert into photo (caption, id) select 'x' as limit, ?",
                "insert into photo (caption, id) select 'x' as as, ? from x",
                "insert into photo (caption, id) select x.union, ? as id",
                "insert into photo (caption, id) select 1::timestamp with time zone, ? id",
                "insert into photo (caption, id) select 'x', cast(? as bigint) id",
                "insert into photo (caption, id) select 'x', cast(cast(? as numeric(20, 0)) as pg_catalog.int8)",
                "insert into photo (caption, id) select 'x', (+ ?::bigint::numeric(20))",
                "insert into photo (caption, id) select 'x', id from photo a join photo b on a.id = b.id union all select 'x', ?",
                "insert into photo (caption, id) select 'x', id from x() with ordinality g union all (select 'x', ?)",
                "insert into photo (caption, id) select percentile_cont(0.5) within group (order by x), ? from x",
                "insert into photo (id, caption) select id, 'x' from photo for update on conflict (id) do update set id = ?",
                "insert into photo (id, caption) select id, 'x' from photo for no key update on conflict (id) do update set id = ?",
                "insert into photo (id, caption) select id, 'x' from photo on conflict (id) do update set (id, caption) = (?, 'x')",
                "merge into photo p using (select id from x for update) v on p.id = v.id when matched then update set id = ?",
                "merge into photo p using x v on p.id = v.id when matched then update set caption = case when v.y then 1 end, id = ?",
                "insert into photo (id, caption) (values (?, 'x'))",
                "insert into photo (id, caption) ((values (?, 'x')))",
                "insert into photo (id, caption) ((select ?, 'x'))",
                "insert into photo (id, caption) with q as materialized (select 1), r as (select 2) (select ?, 'x')",
                "insert into photo (id, caption) select v.id, v.c from (select ? as id, 5 as c) v",
                "insert into photo (id, caption) select id, c from (values (?, 5)) v(id, c)",
                "with q(i) as (select ?) insert into photo (id, caption) select q.i, 'x' from q",
                "with q as (select ? as id) insert into photo (id, caption) select v.id, 'x' from q * as v",
                "insert into photo (id, caption) select v.id, v.c from x join (select ? as id, 5 as c) v using (id)",
                "merge into photo t using (select cast(? as bigint) id, 5 c) s on t.id = s.id when not matched then insert"
                        + " (id, caption) values (s.id, s.c)",
            })
    void parametersInUnusualPlaces(String sql) {
        assertThat(in(sql).unreadable()).isEmpty();
        assertThat(parameters(sql)).isEqualTo(Map.of(1, "photo.id"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "insert into photo values (?, 0, 'x')",
                "insert into photo select * from x",
                "insert into photo table x",
                "insert into photo (id, caption) table x",
                "insert into photo (id, caption) select * from x",
                "insert into photo (id, caption) select x.* from x",
                "insert into photo (id, caption) values (?)",
                "insert into photo (id) values (? + 1)",
                "insert into photo (id) values (f(?))",
                "insert into photo (id) values (1 + 2)",
                "insert into photo (id) values (- ?)",
                "insert into photo (id) values (?::float8)",
                "insert into photo (id) values (?::varchar(3))",
                "insert into photo (id) values (int8('17'))",
                "insert into photo (id) values (bigint '17')",
                "insert into photo (id) values ($1)",
                "insert into photo (id) values (1.5)",
                "insert into photo (id) values (E'\\x31')",
                "insert into photo (id) values (U&'\\0031')",
                "insert into photo (id) values (U&'z0031' uescape 'z')",
                "insert into photo (id) values ('1'\n'7')",
                "insert into photo (id) values (('x1f')::bit(64)::bigint)",
                "update photo set id = (select x + 1 from y where z = ?)",
                "update photo set id = - (select x from y where z = ?)",
                "update photo set id = (select * from y limit 1)",
                "update photo set id = (select x from y union select f(?))",
                "update photo set id = (select v.a from (select f(?) a) v limit 1)",
                "update photo set id = (select v.a from y limit 1) from (select ? a) v",
                "insert into photo (id) values (case when x then ? end)",
                "insert into photo (id, caption) select 'x', 0 case from photo union all select ?, 'x' end",
                "insert into photo (id) select unnest(?)",
                "insert into photo (id) select u.id from unnest(?) with ordinality u(id, n)",
                "insert into photo (id) select u from generate_series(1, 5) u",
                "insert into photo (id) select coalesce(v.id, x.id) from x, (select ? as id) v",
                "insert into photo (id) select - v.id from (select ? as id) v",
                "insert into photo (id) select j.x from q join (a join (select ? x) b on true) as j on true",
                "with q as (select ? x) insert into photo (id) values ((select x from q))",
                "with q as (select ? x), r as (select x from q) insert into photo (id) select f(r.x) from r",
                "with recursive q(i) as (select i from q where i < ?) insert into photo (id) select i from q",
                "insert into photo (id) select w.id from (select ? as a) v, lateral (select v.a as id) w",
                "insert into photo (id) select w from unnest(?) v, f(v) w",
                "insert into photo (id) select v.id from a join b on case when x then true end join (select f(?) id) v on true",
                "with q as (select ? as id), r as (with q as (select 5 as id) select * from q) insert into photo (id) select id from q",
                "update photo set (id, caption) = (select s.id, 'x' from (select v.a as id) s) from (select ? a) v",
                "insert into photo (id) select column2 from (values (x.column2, f(5))) v",
                "insert into photo (id) select v.id from (select x at time zone id, f(?) as id from x) v",
                "update photo set id = v.x + v.y from (values (?, 5)) v(x, y)",
                "update photo set (id, caption) = (select * from x)",
                "update photo set (id, caption) = f(?)",
                "insert into photo (id, caption) values (default, ?) on conflict (id) do update set id = excluded.caption",
                "merge into photo p using x on true when not matched then insert values (?, 'x')",
                "insert into photo (id) select j.id from x full join (select ? as id) v using (id) as j",
                "merge into photo p using (x full join (select ? as id) v using (id) as j) on p.id = j.id when not matched then insert (id) values (j.id)",
                "update photo set author_id = j.id from (x full join (select ? as id) v using (id) as j)",
                "insert into photo (id) select w.id from (select ? as a) v, (x join lateral (select v.a as id) w on true)",
                "insert into photo (id) select w from (select ? as a) v, (x join f(v.a) w on true)",
                "insert into photo (id, n) values (default, ?) on conflict (id) do update set (id, n) = (select s.n, 0 from (select excluded.n) s)",
                "insert into photo (id) select max from (select max(?) over w from x window w as ()) v",
                "insert into photo (id) select max from (select max(?)::pg_catalog.int8 from x) v",
                "insert into photo (id) select \"?column?\" from (select ? operator(pg_catalog.+) a from x) v",
                "insert into photo (id) select \"case\" from (select case when true then ? end) v",
                "insert into photo (id) select v.id from f((select ?)) v(id)",
                "insert into photo (id) select is_normalized::int from (select ? is nfc normalized from x) v",
                "insert into photo (id) select timezone from (select cast(? as timestamp) at time zone z from x) v",
                "insert into photo (id) select timezone from (select cast(? as timestamp) at local from x) v",
                "insert into photo (id) select timetz from (select ?::time with time zone from x) v",
                "insert into photo (id) select \"?column?\"::int from (select ? is json scalar from x) v",
                "insert into photo (id) select v.id from repeatable(?) v(id)",
                "insert into photo (id) select system_user from (select f(?) as system_user) v",
                "with recursive q(a) as (select a from x) cycle a set c to 7 default 8 using p insert into photo (id) select q.c from q",
                "with recursive q(a) as (select a from x) search depth first by a set s cycle a set c to 7 default 8 using p insert into photo (id) select q.c from q",
                "create table t as with a as (insert into photo (id) values ($1) returning id) select id, ? from a",
                "merge into photo p using unnest(?) u on true when not matched then insert (id) values (u)",
            })
    void unreadableValues(String sql) {
        assertThat(in(sql).unreadable()).isNotEmpty();
        assertThat(in(sql).unreadable().get(0).column()).startsWith("photo.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "17",
                "+17",
                "+ 17",
                "- -17",
                "'17'",
                "' +17 '",
                "E'17'",
                "$$17$$",
                "$a$17$a$",
                "U&'17'",
                "N'17'",
                "17.0",
                "17.",
                "1.7e1",
                "170e-1",
                "0x11",
                "1_7",
                "'0x11'",
                "(('17')::numeric)::bigint",
                "cast(17 as bigint) id"
            })
    void literals(String literal) {
        WrittenIds ids = in("insert into photo (author_id, caption) select " + literal + ", 5");
        assertThat(ids.literals()).containsExactly(new WrittenIds.Literal("photo.author_id", BigInteger.valueOf(17)));
        assertThat(ids.unreadable()).isEmpty();
    }

    @Test
    void eachRowHasItsOwnLiterals() {
        assertThat(in("insert into photo (id, author_id) values (-5, '17'), (cast(8 as bigint), 'x')")
                        .literals())
                .containsExactly(
                        new WrittenIds.Literal("photo.id", BigInteger.valueOf(-5)),
                        new WrittenIds.Literal("photo.author_id", BigInteger.valueOf(17)),
                        new WrittenIds.Literal("photo.id", BigInteger.valueOf(8)));
    }
}
