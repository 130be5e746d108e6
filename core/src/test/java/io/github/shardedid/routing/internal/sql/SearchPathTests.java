package io.github.shardedid.routing.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which texts change the search path of their session, and which need one. */
class SearchPathTests {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "set search_path to x",
                "SET LOCAL Search_Path = x",
                "select 1; set search_path = x",
                "select set_config('search' || '_path', 'x', false)",
                "select pg_catalog.set_config('search_path', 'x', true)",
                "set schema 'x'",
                "set local schema 'x'",
                "set session schema 'x'",
                "reset all",
                "reset search_path",
                "discard all",
                "do 'begin end'",
                "call p()",
                "{call p()}",
                "alter role x set search_path = y",
            })
    void mayChangeTheSearchPath(String sql) {
        assertThat(SqlAnalysis.of(sql).traits().changesSearchPath()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"select 1", "set statement_timeout = 5", "insert into t values (1)", "set local role schema1"})
    void leavesTheSearchPath(String sql) {
        assertThat(SqlAnalysis.of(sql).traits().changesSearchPath()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select * from sharded_id_shard.a p where extract(year from p.b) = 1 for update of p",
                "with c as (select * from sharded_id_shard.a), d as (select 1) select * from c join d on true",
                "select * from sharded_id_shard.a, unnest(?) cross join lateral generate_series(1, 2)",
                "insert into sharded_id_shard.a select * from (select 1) x on conflict do update set b = 1",
                "select * from sharded_id_shard.a where b is distinct from 'from c'",
                "update only sharded_id_shard.a set b = 1",
                "select 1",
                "select a.x from sharded_id_shard.a a, sharded_id_shard.b b, (values (1, 2)) v(x, y) where a.x in (1, 2)",
                "with b(x) as (select 1 from sharded_id_shard.a), c as (select x from b) select * from b, c",
                "with b(x) as (delete from sharded_id_shard.a returning id) select count(*) from b",
                "select cast(? as varchar(20)), x::numeric(10, 2), date '2020-01-01' from sharded_id_shard.a",
                "insert into sharded_id_shard.a (id, x) values (?, ?) on conflict (id) do update set x = excluded.x returning id",
                "select a.id from sharded_id_shard.a a order by a.id desc fetch first ? rows only for no key update of a",
                "select sharded_id_shard.next_id(cast(? AS regclass)), pg_catalog.pg_current_xact_id()",
                "select nextval('sharded_id_shard.a_id_seq')",
                "select count(distinct x) filter (where y > 1), rank() over (partition by x order by y) from sharded_id_shard.a",
                "select extract(year from x), substring(y from 1 for 2), x collate \"C\" from sharded_id_shard.a",
                "select a -> 'b', a ?? 'c', a <-> b, a % b, -a != +b from sharded_id_shard.a",
                "select a from sharded_id_shard.a a1 left join (sharded_id_shard.b b1 join sharded_id_shard.c c1 on (b1.x=c1.x)) on (a1.x=b1.x)",
                "select a from sharded_id_shard.a join (sharded_id_shard.b cross join (select 1) c) on (true)",
                "insert into sharded_id_shard.a (x) values (?) returning kind",
                "select current_setting('lock_timeout', true)",
                "select json_value(a, '$' returning int) from sharded_id_shard.a",
                "select a from sharded_id_shard.a where a like ? escape ('x') group by rollup (a) order by (a)",
            })
    void needsNoSearchPath(String sql) {
        assertThat(SqlAnalysis.of(sql).needsSearchPath()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select * from a",
                "select * from sharded_id_shard.a join b on true",
                "select * from sharded_id_shard.a p, b",
                "select * from sharded_id_shard.a values, b",
                "select * from sharded_id_shard.a set, b",
                "select * from (sharded_id_shard.a cross join b)",
                "select * from only b, sharded_id_shard.a",
                "select (table b) from sharded_id_shard.a",
                "with a as (select * from a) select * from a",
                "with a (x) as (select * from a) select * from a",
                "select * from sharded_id_shard.a where (select count(*) from sharded_id_shard.a, lateral (select * from b) c) > 0",
                "delete from sharded_id_shard.a using sharded_id_shard.c p, b",
                "merge into sharded_id_shard.a using b on true when matched then delete",
                "update sharded_id_shard.a set x = 1 from sharded_id_shard.b p, c",
                "insert into sharded_id_shard.a (id) values (next_id('a_id_seq'))",
                "insert into sharded_id_shard.a (id) values (sharded_id_shard.next_id('a_id_seq'))",
                "select total(id) from sharded_id_shard.a",
                "select cast(x as mood) from sharded_id_shard.a",
                "select x::mood from sharded_id_shard.a",
                "select regclass 'b' from sharded_id_shard.a",
                "select 'b'::regclass from sharded_id_shard.a",
                "select x collate \"german\" from sharded_id_shard.a",
                "select current_schema",
                "truncate sharded_id_shard.a, b",
                "drop table sharded_id_shard.a, b",
                "lock table sharded_id_shard.a, b",
                "alter table sharded_id_shard.a add foreign key (x) references b",
                "call sharded_id_shard.p()",
                "explain select * from sharded_id_shard.a",
                "{call f(?)}",
                "select sharded_id_shard.f() from b",
                "insert into b select * from sharded_id_shard.a",
                "update only \"b\" set c = (select 1 from sharded_id_shard.a)",
                "delete from sharded_id_shard.a using b",
                "select 1 === 1 from sharded_id_shard.a",
                "select @#@ 5 from sharded_id_shard.a",
                "select a from sharded_id_shard.a order by b <==> c",
                "select json_value(a, '$' returning kind) from sharded_id_shard.a",
                "select xmlserialize(content a as kind) from sharded_id_shard.a",
                "select pg_catalog.pg_table_is_visible(a.id) from sharded_id_shard.a",
                "select pg_catalog.current_schemas(false)",
                "select pg_catalog.pg_relation_filenode('photo')",
                "select public.f(1) from sharded_id_shard.a",
                "select by('x') from sharded_id_shard.a",
                "select current_setting('search_path')",
                "select * from over('x')",
                "select a, join('x') from sharded_id_shard.a",
                "select a from sharded_id_shard.a where cube('x') = 1",
                "select escape('x') from sharded_id_shard.a",
            })
    void needsTheSearchPath(String sql) {
        assertThat(SqlAnalysis.of(sql).needsSearchPath()).isTrue();
    }
}
