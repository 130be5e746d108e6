package io.github.shardedid.routing.internal.sql;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.routing.UnsupportedStatementException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JdbcEscapesTests {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "insert into {oj photo} (id) values (?)",
                "insert into {fn photo(id)} values (?)",
                "update {fn only(photo)} set id = ?",
                "{oj listen x}",
                "create {oj temp} table t (a int)",
                "create {fn temp table t(a int)}",
                "select pg_advisory_lock {oj (1)}",
                "with {fn q(id)} as (select ?) insert into photo (id) select id from q",
                "with p as (select 1), {fn q(id)} as (select ?) insert into photo (id) select id from q",
                "with p as (select 1), {fn q(id)} as materialized (select ?) select 1",
                "select * from {fn photo} x",
                "select {d x '2026-01-01'}",
                "select {fn now()",
                "select {fn now()}",
                "update photo set caption = 'x' where {fn length(caption)} > 3",
                "select 1; {call p()}",
            })
    void whatTheDriverRewritesIsRefused(String sql) {
        assertThatThrownBy(() -> SqlAnalysis.of(sql))
                .isInstanceOf(UnsupportedStatementException.class)
                .hasMessageContaining("Nothing was sent");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{call p(?)}",
                "{? = call f(?)}",
                "select 1 from photo where a like ? {escape '!'}",
                "update photo set taken = now() where day = {d '2026-01-01'}",
                "select {ts '2026-01-01 00:00:00'}, {t '00:00:00'}",
                "select '{oj x}', \"{\" from photo -- {oj",
            })
    void literalsAndCallsAreRead(String sql) {
        assertThatCode(() -> SqlAnalysis.of(sql)).doesNotThrowAnyException();
    }
}
