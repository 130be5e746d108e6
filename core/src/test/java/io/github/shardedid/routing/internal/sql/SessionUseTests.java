package io.github.shardedid.routing.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SessionUseTests {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    set search_path to x | ROUTED
                    SET LOCAL Search_Path = x | ROUTED
                    set "SEARCH_PATH" = x | ROUTED
                    set session search_path from current | ROUTED
                    select 1; set local search_path = x | ROUTED
                    set schema 'x' | ROUTED
                    set local schema 'x' | ROUTED
                    set session schema 'x' | ROUTED
                    reset search_path | ROUTED
                    set role x | ROUTED
                    set local role x | ROUTED
                    set session role x | ROUTED
                    reset role | ROUTED
                    set session authorization x | ROUTED
                    set local session authorization x | ROUTED
                    reset session authorization | ROUTED
                    set local standard_conforming_strings = off | ROUTED
                    select set_config('search_path', 'x', true) | ROUTED
                    select "set_config"('Search_Path', ?, true) | ROUTED
                    select pg_catalog.set_config('role', 'x', true) | ROUTED
                    set transaction isolation level serializable | TRANSACTION
                    set local transaction read only | TRANSACTION
                    set session characteristics as transaction isolation level repeatable read | TRANSACTION
                    set default_transaction_isolation = 'serializable' | TRANSACTION
                    set local transaction_isolation = 'serializable' | TRANSACTION
                    select set_config('transaction_isolation', 'serializable', true) | TRANSACTION
                    create temp table x (a int) | TEMPORARY
                    create local temporary table x as select 1 | TEMPORARY
                    create or replace temp view x as select 1 | TEMPORARY
                    create temporary sequence x | TEMPORARY
                    create temp table x (a int) on commit preserve rows | TEMPORARY
                    create table pg_temp.x (a int) | TEMPORARY
                    select 1 into temp x | TEMPORARY
                    select 1 into local temporary x | TEMPORARY
                    explain analyze create temp table x as select 1 | TEMPORARY
                    """)
    void findsWhatRoutingReliesOn(String sql, SessionUse use) {
        assertThat(SqlAnalysis.of(sql).session()).isEqualTo(use);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select 1",
                "select 'set role x', \"set\" from t",
                "update t set search_path = 'x', role = 'y' where a = ?",
                "set statement_timeout = 5",
                "set local time zone 'UTC'",
                "reset all",
                "set constraints all deferred",
                "select set_config('app.user', ?, false)",
                "select pg_advisory_lock(1), setseed(0.5)",
                "listen x",
                "alter table t alter id set default -1 * currval('s')",
                "create temp table x (a int) on commit drop",
                "create table temp (a int)",
                "create index temp on t (a)",
                "create table t as select * from pg_temp.x",
                "insert into pg_temp.x values (1)",
                "insert into temp values (1)",
                "explain (analyze) with a as (select 1) insert into temp select 1",
                "create function f() returns int language sql set search_path = x as 'select 1'"
            })
    void letsThroughTheRest(String sql) {
        assertThat(SqlAnalysis.of(sql).session()).isEqualTo(SessionUse.NONE);
    }

    @Test
    void sayWhatIsRefusedAndWhatToDoInstead() {
        assertThat(SessionUse.TEMPORARY.refusal("create temp table t (a int)").getMessage())
                .contains("create temp table t", "ON COMMIT DROP", "unwrap(PGConnection.class)");
    }
}
