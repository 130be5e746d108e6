package io.github.shardedid.routing.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SessionUsesTests {
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
                    set U&"search\\005fpath" = x | UNREADABLE
                    set local u&"search!005fpath" uescape '!' = x | UNREADABLE
                    select U&"pg\\005fadvisory_lock"(1) | UNREADABLE
                    select pg_catalog.u&"set!005fconfig" uescape '!' ('a', 'b', false) | UNREADABLE
                    select (1::bigint).U&"pg_advisory_lock" | LOCK
                    select g.u&"pg!005fadvisory_lock" uescape '!' from generate_series(5::bigint, 5) g | LOCK
                    select setseed(0.5) | OBJECT
                    select g.setseed from generate_series(0, 0) x, lateral (select 0.5::float8) g | OBJECT
                    set local seed = 0.5 | OBJECT
                    set "SEED" to 0.5 | OBJECT
                    select set_config('Seed', '0.5', true) | OBJECT
                    set transaction isolation level serializable | TRANSACTION
                    set local transaction read only | TRANSACTION
                    set session characteristics as transaction isolation level repeatable read | TRANSACTION
                    set default_transaction_isolation = 'serializable' | TRANSACTION
                    set local transaction_isolation = 'serializable' | TRANSACTION
                    select set_config('transaction_isolation', 'serializable', true) | TRANSACTION
                    set statement_timeout = 5 | SETTING
                    set time zone 'UTC' | SETTING
                    set session statement_timeout to 5 | SETTING
                    set app.user = 'x' | SETTING
                    set local names 'x' | SETTING
                    reset statement_timeout | SETTING
                    reset all | SETTING
                    discard all | SETTING
                    select set_config('app.user', ?, false) | SETTING
                    select set_config('app.user', ?, ?) | SETTING
                    select set_config(?, ?, true) | SETTING
                    select set_config(concat('search', '_path'), 'x', true) | SETTING
                    select set_config(E'search\\x5fpath', 'x', true) | SETTING
                    select set_config('search''_path', 'x', true) | SETTING
                    select set_config($$search_path$$, 'x', true) | SETTING
                    select set_config(setting_name => 'search_path', new_value => 'x', is_local => true) | SETTING
                    insert into t select set_config('app.user', 'x', false) | SETTING
                    update pg_settings set setting = 'x' where name = 'search_path' | SETTING
                    update only pg_catalog."pg_settings" set setting = 'x' | SETTING
                    with a as (select 1) update pg_settings set setting = 'x' | SETTING
                    select pg_advisory_lock(1) | LOCK
                    select * from pg_catalog.pg_try_advisory_lock_shared(1, 2) | LOCK
                    select "pg_advisory_unlock_all"() | LOCK
                    explain analyze select pg_advisory_lock(1) | LOCK
                    listen x | OBJECT
                    unlisten * | OBJECT
                    listen transaction | OBJECT
                    deallocate transaction | OBJECT
                    prepare transaction as select 1 | OBJECT
                    execute transaction | OBJECT
                    create table t as execute x | OBJECT
                    explain analyze select (1) insert into temp x | OBJECT
                    explain (analyze) with a as (select 1) select (1) insert into temp x | OBJECT
                    explain analyze select x.verbose insert into temp x from x | OBJECT
                    load 'x' | OBJECT
                    prepare x as select 1 | OBJECT
                    execute x | OBJECT
                    explain analyze execute x | OBJECT
                    deallocate all | OBJECT
                    declare c cursor with hold for select 1 | OBJECT
                    create temp table x (a int) | OBJECT
                    create local temporary table x as select 1 | OBJECT
                    create or replace temp view x as select 1 | OBJECT
                    create temporary sequence x | OBJECT
                    create temp table x (a int) on commit preserve rows | OBJECT
                    create table pg_temp.x (a int) | OBJECT
                    create function pg_temp.x() returns int language sql as 'select 1' | OBJECT
                    select 1 into temp x | OBJECT
                    select 1 into local temporary x | OBJECT
                    select 1 into pg_temp.x | OBJECT
                    select currval('s') | REMEMBERS
                    select pg_catalog.lastval() | REMEMBERS
                    """)
    void findsWhatASessionWouldKeep(String sql, SessionUse use) {
        assertThat(SqlAnalysis.of(sql).traits().session()).isEqualTo(use);
    }

    /** PostgreSQL reads the two as one literal. */
    @ParameterizedTest
    @ValueSource(
            strings = {"'search'\n'_path'", "'search' -- x\n '_path'", "'ro'\n'le'", "'standard_conforming'\n'_strings'"
            })
    void aContinuedNameOfASettingIsRefused(String name) {
        assertThat(SessionUses.of(new SqlText("select set_config(" + name + ", 'x', true)")))
                .isEqualTo(SessionUse.SETTING);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select 1",
                "select 'set role x', \"set\" from t",
                "insert into t values ('pg_advisory_lock(1)')",
                "update t set search_path = 'x', role = 'y' where a = ?",
                "set local statement_timeout = 5",
                "set local lock_timeout = 5000",
                "set local time zone 'UTC'",
                "set local app.user = 'x'",
                "set constraints all deferred",
                "select set_config('app.user', ?, true)",
                "select set_config('app.user', coalesce(?, 'x'), TRUE)",
                "select current_setting('lock_timeout', true)",
                "select pg_advisory_xact_lock(1)",
                "select pg_try_advisory_xact_lock_shared(1)",
                "declare c cursor for select 1",
                "declare c cursor without hold for select 1",
                "create temp table x (a int) on commit drop",
                "create table temp (a int)",
                "create index temp on t (a)",
                "insert into pg_temp.x values (1)",
                "insert into t values (1); select currval('s')",
                "prepare transaction 'x'",
                "select u & 1 from t",
                "select u&\"caf\\00e9\" from t",
                "select t.u&\"caf\\00e9\", t.seed, seed(t.x) from t",
                "explain select 1 for update",
                "explain analyze verbose insert into temp select 1",
                "explain (analyze) with a as (select 1) insert into temp select 1",
                "create function f() returns int language sql set search_path = x as 'select 1'"
            })
    void letsThroughWhatEndsWithTheTransaction(String sql) {
        assertThat(SqlAnalysis.of(sql).traits().session()).isEqualTo(SessionUse.NONE);
    }

    @Test
    void sayWhatIsRefusedAndWhatToDoInstead() {
        assertThat(catchThrowable(() -> SessionUse.LOCK.require("select pg_advisory_lock(42)", false)))
                .hasMessageContainingAll("pg_advisory_lock", "pg_advisory_xact_lock", "unwrap(PGConnection.class)");
    }
}
