package io.github.shardedid.routing.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainQueriesTests {
    private static boolean isPlain(String sql) {
        return SqlAnalysis.of(sql).plain();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select 1",
                "select 1;",
                "/* a hint */ select p.id from sharded_id_shard.photo p where p.id=? -- that's it",
                "SELECT p1_0.id,p1_0.caption FROM sharded_id_shard.photo p1_0 WHERE p1_0.id=any(?)",
                "select p from t p left join u on (p.id=u.id) where exists(select 1 from v where v.id=p.id)",
                "select distinct on (a) b from t order by (a), b limit (?) offset (?)",
                "select count(*), count(distinct a), sum(b), max(lower(c)) from t group by (d) having count(*)>(1)",
                "select coalesce(a, nullif(b, '')), greatest(1, 2), case when (a) then (b) else (c) end from t",
                "select substring(a from 1 for 2), trim(both from a), extract(year from b), position('a' in b) from t",
                "select cast(a as varchar(255)), cast(b as numeric(10,2)), c::numeric(10, 2) from t",
                "select row_number() over (partition by (a) order by b), sum(a) filter (where (b)) over (w) from t",
                "select percentile_cont(0.5) within group (order by a) from t",
                "select a from t where a in (1, 2) and not (b) or (c) between (1) and (2) and d like ('x')",
                "(select 1) union all (select 2) except (values (3)) intersect (table t)",
                "values (1), (2)",
                "table t",
                "with x as (select 1) select * from x",
                "with recursive x(n) as (select 1 union all select n + 1 from x where n < 5) select * from x",
                "with x as materialized (select 1), y as not materialized (select 2) select * from x, y",
                "select * from unnest(?) with ordinality as t(a, b), lateral (select 1) as u(c)",
                "select pg_catalog.count(*), pg_catalog.lower('A')",
                "select 'nextval(1)', $$ random() $$, \"now\" from t where b = 'nowhere'",
                "select t.a -> 'b', t.c @> array[(1)] from t where t.e is distinct from (1)",
                "select a from t where a not like ('x') or ? like ('x') or t.b ilike (b)",
                "select a from t group by rollup (a)",
                "select a from only (t) where (a, b) = (row(1, 2))",
            })
    void needsNoTransaction(String sql) {
        assertThat(isPlain(sql)).as(sql).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select * from t for update",
                "select * from t for no key update",
                "select * from t for key share skip locked",
                "with x as (select * from t for share) select * from x",
                "with x as (delete from t returning 1) select * from x",
                "with x as (insert into t values (1) returning 1) select * from x",
                "select * into copy_of_t from t",
                "select nextval('s')",
                "select sharded_id_shard.next_ids('s', 5)",
                "select sharded_id_shard.next_ids_after('s', 5, 0)",
                "select sharded_id.next_id_block('s', 1, 5)",
                "select pg_notify('a', 'b')",
                "select current_timestamp",
                "select a from t where b < localtimestamp(3)",
                "select current_date",
                "select 'now'::timestamp",
                "select a from t where b < 'Today 12:00'",
                "select a from t where b < E'\\x6eow'",
                "select 1; select 2",
                "; select 1",
                "show transaction_isolation",
                "set local statement_timeout = 5",
                "declare c cursor for select 1",
                "fetch 10 from c",
                "explain select 1",
                "create temp table x as select 1",
                "insert into t values (1)",
                "update t set a = 1",
                "lock table t",
                "listen a",
                "call p()",
                "{call p()}",
                "{? = call f(?)}",
                "do 'begin end'",
                "prepare a as select 1",
                "execute a",
                "unheard of",
                "",
            })
    void whatWritesLocksOrKnowsTheTimeNeedsOne(String sql) {
        assertThat(isPlain(sql)).as(sql).isFalse();
    }
}
