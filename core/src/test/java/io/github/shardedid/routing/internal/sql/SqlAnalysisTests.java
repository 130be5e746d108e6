package io.github.shardedid.routing.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SqlAnalysisTests {
    private static String inShardFive(String sql) {
        return SqlAnalysis.of(sql).inSchema("shard_0005");
    }

    private static SqlAnalysis traits(String sql) {
        return SqlAnalysis.of(sql);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "select * from sharded_id_shard.photo | select * from shard_0005.photo",
                "select * from SHARDED_ID_SHARD.photo | select * from shard_0005.photo",
                "select * from \"sharded_id_shard\".photo | select * from shard_0005.photo",
                "select * from sharded_id_shard . photo | select * from shard_0005 . photo",
                "select * from sharded_id_shard/* a */.photo | select * from shard_0005/* a */.photo",
                "select sharded_id_shard.f(a.b) from sharded_id_shard.a,sharded_id_shard.b"
                        + " | select shard_0005.f(a.b) from shard_0005.a,shard_0005.b",
                "sharded_id_shard.x | shard_0005.x",
                "select $1,$2 from sharded_id_shard.x | select $1,$2 from shard_0005.x",
                "select 1e'a' from sharded_id_shard.x | select 1e'a' from shard_0005.x",
                "select a$b$c, d$b$ from sharded_id_shard.x | select a$b$c, d$b$ from shard_0005.x",
                "select 'it''s' from sharded_id_shard.x | select 'it''s' from shard_0005.x",
                "select '\\' from sharded_id_shard.x | select '\\' from shard_0005.x",
                "select '\\', '\\'' sharded_id_shard.x' | select '\\', '\\'' sharded_id_shard.x'",
                "select /* a /* nested */ sharded_id_shard.x */ 1 | select /* a /* nested */ sharded_id_shard.x */ 1",
                "select '' from sharded_id_shard.x | select '' from shard_0005.x",
                "select nextval('sharded_id_shard.photo_id_seq') | select nextval('shard_0005.photo_id_seq')",
                "select sharded_id_shard.next_ids('sharded_id_shard.s', 5)"
                        + " | select shard_0005.next_ids('shard_0005.s', 5)",
                "select sharded_id.next_id_block('sharded_id_shard.s', ?, ?)"
                        + " | select sharded_id.next_id_block('shard_0005.s', ?, ?)",
            })
    void replacesThePlaceholder(String sql, String expected) {
        assertThat(inShardFive(sql)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select 'sharded_id_shard.photo'",
                "select 'it''s sharded_id_shard.photo'",
                "select E'it\\'s sharded_id_shard.photo'",
                "select e'\\\\\\' sharded_id_shard.photo'",
                "select $$ sharded_id_shard.photo $$",
                "select $a$ $b$ sharded_id_shard.photo $b$ $a$",
                "select $a_1$ sharded_id_shard.photo $a_1$",
                "select 1 -- sharded_id_shard.photo",
                "select /* /* */ sharded_id_shard.photo */ 1",
                "select \"a sharded_id_shard.photo\"",
                "select \"a\"\"sharded_id_shard\".b",
                "select \"SHARDED_ID_SHARD\".b",
                "select sharded_id_shard from photo",
                "select my_sharded_id_shard.x, sharded_id_shard2.x, sharded_id_shard$.x, äsharded_id_shard.x",
                "select format('sharded_id_shard.photo')",
                "",
                "-",
                "/",
            })
    void leavesEverythingElseAlone(String sql) {
        assertThat(inShardFive(sql)).isEqualTo(sql);
        assertThat(SqlAnalysis.of(sql).namesSchema()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "insert into t values (1)",
                "  INSERT INTO t values (1)",
                "/* c */ -- d\n update t set a = 1",
                "/* /* nested */ select */ delete from t",
                "((delete from t))",
                "merge into t using s on true when matched then delete",
                "truncate t",
                "copy t from stdin",
                "call p()",
                "{call p(?)}",
                "{? = call p(?)}",
                "do $$ begin end $$",
                "create table x (a int)",
                "alter table x add b int",
                "drop table x",
                "grant select on x to y",
                "lock table x",
                "vacuum x",
                "notify channel",
                "execute prepared",
                "refresh materialized view v",
                "with x as (insert into t values (1) returning id) select * from x",
                "with x as materialized (delete from t returning id) select * from x",
                "with x as not materialized (update only t set a = 1 returning id) select * from x",
                "with x as (select 1) insert into t select * from x",
                "with a as (with recursive b(id) as (select 1 union all select id + 1 from b where id < 2)"
                        + " search depth first by id set ord delete from t returning 1) select * from a",
                "with a as (with recursive b(id) as (select 1 union all select id + 1 from b where id < 2)"
                        + " cycle id set cyc using path update t set a = 1 returning 1) select * from a",
                "with a as (with recursive b(id) as (select 1) cycle id set c using by delete from t returning 1)"
                        + " select * from a",
                "with a as (with recursive b(id) as (select 1) cycle id set c using by update t set a = 1 returning 1)"
                        + " select * from a",
                "with a as (with recursive b(id) as (select 1) cycle id set cyc to 'Y' default 'N' using \"path\""
                        + " delete from t returning 1) select * from a",
                "select * from (with a as (with b as (select 1) delete from t returning 1) select * from a) x",
                "select lo_create(0)",
                "select \"lo_from_bytea\"(0, 'x')",
                "select pg_catalog.\"pg_notify\"('a', 'b')",
                "with x as (select 1) update \"t\" set a = 1",
                "with x as (select 1) /* c */ delete /* c */ from t",
                "with x as (select 1) merge into t using x on true when matched then delete",
                "with recursive b(id) as (select 1) cycle id set c using key update t set a = 1",
                "with recursive b(id) as (select 1) search depth first by id set no update t set a = 1",
                "with a as (with recursive b(id) as (select 1) search depth first by id set by"
                        + " update t set a = 1 returning 1) select * from a",
                "with recursive x(n) as (select 1 union all select n + 1 from x) search depth first by n set o"
                        + " delete from t",
                "with a as (select 1), b as (with c as (select 2) select * from c) update sharded_id_shard.t set a = 1",
                "(with x as (delete from t returning 1) select * from x)",
                "select * into copy_of_t from t",
                "select nextval('s')",
                "select sharded_id_shard.next_id('s')",
                "select array_agg(i) from sharded_id_shard.next_ids_after('s', 5, 0) i",
                "select sharded_id.next_id_block('s', 1, 5)",
                "select NEXT_IDS ('s', 20)",
                "select \"nextval\"('s')",
                "select pg_catalog.setval('s', 5)",
                "select 1; delete from t",
                "select 1;;; update t set a = ';'",
                "explain analyze delete from t",
                "explain (\"analyze\") insert into t values (1)",
                "set constraints all immediate",
                "explain (analyze, buffers) update t set a = 1",
                "explain analyze verbose with x as (delete from t returning 1) select * from x",
                "select pg_notify('a', 'b')",
                "unheard of",
            })
    void writes(String sql) {
        assertThat(traits(sql).writes()).as(sql).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select 1",
                "/* insert into t */ select 1",
                "-- delete from t\nselect 1",
                "(select 1) union (select 2)",
                "select 'insert into t'",
                "select 1 -- ; delete from t",
                "select ';delete from t'",
                "select $$;delete from t;$$",
                "with x as (select 'delete from t') select * from x",
                "with x as (select 1) select * from x for update",
                "with x as (select * from t for no key update) select * from x",
                "select * from t for update of t",
                "select t.into, t.delete from t",
                "select 1 as into",
                "select a as \"insert into\" from t",
                "with x as (select update from t) select count(update) from x",
                "with x as (select 1) (select 1, update from t)",
                "select (with x as (select 1) select 1 + update from t)",
                "select \"nextval\" from t",
                "select nextval from t",
                "select 'nextval(''s'')'",
                "values (1), (2)",
                "table t",
                "show search_path",
                "set statement_timeout = 5",
                "set local role x",
                "explain delete from t",
                "explain (costs off) delete from t",
                "explain (select 1)",
                "explain analyze select 1",
                "explain (analyze) (select 1)",
                "declare c cursor for select 1",
                "fetch 10 from c",
                "",
                ";",
                "select currval('s')",
                "select f(x) from t where a = 'update t set'",
            })
    void reads(String sql) {
        assertThat(traits(sql).writes()).as(sql).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select * from t for update",
                "select * from t FOR NO KEY UPDATE",
                "select * from t for share nowait",
                "select * from t for key share skip locked",
                "select * from t for /* c */ update",
                "with x as (select * from t for update) select * from x",
                "select * from t where id = ? for update of t"
            })
    void locks(String sql) {
        assertThat(traits(sql).locks()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select substring(a from 1 for 2)",
                "select 'for update'",
                "select \"for\" update",
                "select a.for, update from t",
                "-- for update\nselect 1"
            })
    void locksNothing(String sql) {
        assertThat(traits(sql).locks()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "begin",
                "START TRANSACTION",
                "commit",
                "/* c */ rollback",
                "savepoint a",
                "rollback to a",
                "release a",
                "end",
                "abort",
                "select 1; commit",
                "prepare transaction 'a'",
                "commit prepared 'a'"
            })
    void isTransactionControl(String sql) {
        assertThat(traits(sql).endsTransaction()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select 1",
                "create function f() returns int begin atomic select 1; select 2; end",
                "create or replace procedure p() begin atomic insert into t values (1); end",
                "prepare x as select 1",
                "select 'commit'",
                "do $$ begin commit; end $$",
                "select a; -- commit"
            })
    void isNoTransactionControl(String sql) {
        assertThat(traits(sql).endsTransaction()).isFalse();
    }

    @Test
    void messagesShowNoData() {
        assertThat(SqlText.brief("insert  into t\n values ('secret', E'a\\'b', $$c$$, 42, \"d\")"))
                .isEqualTo("insert into t values ('…', '…', '…', 42, \"d\")");
        assertThat(SqlText.brief("select " + "x".repeat(1_000)))
                .hasSizeLessThan(200)
                .endsWith("…");
    }

    @Test
    void theCacheIsBoundedInBytesAndKeepsWhatIsUsed() {
        SqlAnalyses analyses = new SqlAnalyses(1_000_000, null);
        String text = "select " + "x".repeat(20_000) + " from ";
        SqlAnalysis used = analyses.of("select used");
        for (int i = 0; i < 10_000; i++) {
            analyses.of(text + i);
            assertThat(analyses.of("select used")).isSameAs(used);
            assertThat(analyses.bytes()).isLessThanOrEqualTo(1_000_000);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"select 1", "select x from sharded_id_shard.photo", "select x from sharded_id_shard.photo p, "})
    void whatATextTakesIsNotUnderestimated(String start) {
        String sql = start + "x".repeat(400);
        assertThat(SqlAnalysis.of(sql).bytes()).isGreaterThanOrEqualTo(4 * sql.length());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "create table t (a int) | true",
                "do $$ begin create table t (a int); end $$ | true",
                "select 1 as a into t | true",
                "with x as (select 1 as a) select * into unlogged t from x | true",
                "select 1 as a into temp t on commit drop | false",
                "insert into t select 1 | false",
                "with x as (insert into t values (1) returning a) select * from x | false",
                "merge into t using x on t.a = x.a when matched then delete | false",
            })
    void knowsWhatDefinesObjects(String sql, boolean defines) {
        assertThat(SqlAnalysis.of(sql).defines()).isEqualTo(defines);
    }

    @Test
    void aColumnOrTableNamedLikeTheSchemaOfCopiesIsNoLockOfThem() {
        assertThat(SqlAnalysis.of("select p.id, p.catalog from person p for update", "catalog")
                        .locksGlobal())
                .isFalse();
        assertThat(SqlAnalysis.of("lock table catalog", "catalog").locksGlobal())
                .isFalse();
        assertThat(SqlAnalysis.of("select id from catalog.role for update", "catalog")
                        .locksGlobal())
                .isTrue();
    }
}
