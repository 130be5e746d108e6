package io.github.shardedid.routing.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.routing.internal.sql.KnownNames;
import io.github.shardedid.routing.internal.sql.SqlAnalysis;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.CommonSchemas;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What follows from the names in a text, by the catalog of a database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KnownNamesIntegrationTests {
    private TestDatabase database;
    private KnownNames known;

    @BeforeAll
    void read() throws SQLException {
        database = PostgresServers.shared(1).newDatabase();
        database.execute(
                """
                CREATE EXTENSION citext;
                CREATE FUNCTION public.volatile_one() RETURNS int LANGUAGE sql AS 'SELECT 1';
                CREATE SCHEMA shard_0000; SET search_path TO shard_0000, public;
                CREATE TABLE a (id bigint, b text); CREATE TABLE value (id bigint);
                CREATE VIEW acting AS SELECT id, public.volatile_one() FROM a;
                CREATE VIEW quiet AS SELECT id FROM a;
                CREATE FUNCTION own(int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT 1';
                CREATE FUNCTION of_row(a) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT 1';
                CREATE FUNCTION bound() RETURNS trigger LANGUAGE plpgsql SET search_path = shard_0000, public AS 'BEGIN RETURN NEW; END';
                CREATE TABLE c (id bigint); CREATE TRIGGER bound BEFORE INSERT ON c FOR EACH ROW EXECUTE FUNCTION bound();
                CREATE TABLE d (id bigint DEFAULT public.volatile_one());
                """);
        NameCatalogs catalogs = new NameCatalogs(CommonSchemas.AUTOMATIC);
        try (Connection connection = database.connect()) {
            catalogs.refresh("pg1", connection);
        }
        known = catalogs.known();
    }

    @AfterAll
    void drop() {
        database.drop();
    }

    /** PostgreSQL would compile it for seconds, where it can: the servers of these tests cannot. */
    @Test
    void theCatalogIsReadByAQueryThatIsNotCompiledAndOthersMayBe() throws SQLException {
        NameCatalogs catalogs = new NameCatalogs(CommonSchemas.AUTOMATIC);
        try (Connection connection = database.connect()) {
            catalogs.refresh("pg1", connection);
            assertThat(jit(connection)).isEqualTo("on");
            connection.setAutoCommit(false);
            catalogs.refresh("pg1", connection);
            assertThat(jit(connection)).isEqualTo("off");
            connection.commit();
            assertThat(jit(connection)).isEqualTo("on");
        }
        assertThat(catalogs.isOutdated("pg1")).isFalse();
    }

    private static String jit(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW jit")) {
            row.next();
            return row.getString(1);
        }
    }

    private KnownNames.Verdict verdict(String sql) {
        return SqlAnalysis.of(sql.replace("{g}", "Sharded_Id_Shard.")).in(known);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select 1",
                "SELECT p1_0.id,p1_0.caption FROM {g}photo p1_0 WHERE p1_0.id=any(?)",
                "select p from t p left join u on (p.id=u.id) where exists(select 1 from v where v.id=p.id)",
                "select distinct on (a) b from t order by (a), b limit (?) offset (?)",
                "select count(*), count(distinct a), sum(b), max(lower(c)) from t group by (d) having count(*)>(1)",
                "select coalesce(a, nullif(b, '')), greatest(1, 2), case when (a) then (b) else (c) end from t",
                "select substring(a from 1 for 2), trim(both from a), extract(year from b), position('a' in b) from t",
                "select cast(a as varchar(255)), cast(b as numeric(10,2)), c::numeric(10, 2) from t",
                "select row_number() over (partition by (a) order by b), sum(a) filter (where (b)) over (w) from t",
                "select percentile_cont(0.5) within group (order by a) from t",
                "(select 1) union all (select 2) except (values (3)) intersect (table t)",
                "with recursive x(n) as (select 1 union all select n + 1 from x where n < 5) select * from x",
                "with x as materialized (select 1), y as not materialized (select 2) select * from x, y",
                "select * from unnest(?) with ordinality as t(a, b), lateral (select 1) as u(c)",
                "select concat(a, b), to_char(c, 'x'), date_trunc('day', d), json_build_object('a', e), to_tsvector('english', f) from t",
                "select a from t group by rollup (a)",
                "select id from quiet",
                "select t.version, t.length from t",
                "select t1_0.age from {g}a t1_0",
            })
    void runsNothingToWhichATransactionMatters(String sql) {
        assertThat(verdict(sql).plain()).isTrue();
        assertThat(verdict(sql).harmless()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select currval('s')",
                "select lastval()",
                "select pg_advisory_xact_lock(1)",
                "select (1::bigint).pg_advisory_xact_lock",
                "select txid_current()",
                "select pg_export_snapshot()",
                "select current_setting('a.b')",
                "select now(), random()",
                "select set_config('a.b', 'c', true)",
                "select transaction_timestamp(), statement_timestamp()",
                "select age(a) from t",
                "select lo_get(a) from t",
                "select pg_catalog.pg_sleep(1)",
                "select volatile_one()",
                "select own(1)",
                "select unheard_of(1)",
                "select * from acting",
                "select a1_0.id from {g}acting a1_0",
                "select replace('a'::citext, 'b', 'c')",
                "select x.of_row from {g}a x",
            })
    void mayRunSomethingToWhichATransactionMatters(String sql) {
        assertThat(verdict(sql).plain()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select p1_0.id,p1_0.value from {g}a p1_0 where extract(year from p1_0.b)=1 for update of p1_0",
                "insert into {g}a (id,b,value) values (?,?,?) returning id",
                "insert into {g}c (id) values (?)",
                "update {g}a set b=?,value=? where id=? and value=?",
                "delete from {g}a where id=?",
                "with e_0 (a0, c1) as (select x1_0.id,x1_0.b from {g}a x1_0) select e_0.a0 from e_0 order by e_0.a0 desc",
                "select max(a1_0.b),count(*),coalesce(lower(a1_0.b),'value'),cast(a1_0.id as varchar(20)) from {g}a a1_0",
                "select d1_0.id from {g}d d1_0",
                "select {g}next_id('{g}a_seq')",
                "select nextval('{g}a_seq')",
                "select current_timestamp,now(),random() from {g}a a1_0",
                "select q1_0.id from {g}quiet q1_0 join {g}a a1_0 on a1_0.id=q1_0.id",
                "set local lock_timeout = 5",
                "select 1",
                "select current_setting('lock_timeout', true)",
            })
    void needsNoPath(String sql) {
        assertThat(verdict(sql).needsPath()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select a1_0.id from sharded_id_shard.a a1_0",
                "select a.id from a",
                "select current_setting('search_path')",
                "select count(*) from unheard_of",
                "set constraints all deferred",
                "set local default_text_search_config = 'own'",
                "truncate {g}a",
                "{call {g}f()}",
                "select a1_0.id from {g}a a1_0; select 1",
                "select a1_0.id,(select count(*) from value) from {g}a a1_0",
                "select a1_0.id from {g}a a1_0, VALUE v",
                "insert into {g}a (id) select id from (value)",
                "insert into {g}d (id) values (?)",
                "select a1_0.id from {g}acting a1_0",
                "select own(a1_0.id) from {g}a a1_0",
                "select unheard_of(own(1)) from {g}a a1_0",
                "select cast(? as regclass) from {g}a a1_0",
                "select nextval('a_seq') from {g}a a1_0",
                "select to_regclass(?) from {g}a a1_0",
                "select a1_0.of_row from {g}a a1_0",
                "select replace(a1_0.b,'a','b') from {g}a a1_0",
                "select current_schema from {g}a a1_0",
            })
    void needsThePath(String sql) {
        assertThat(verdict(sql).needsPath()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select set_config('search' || '_path', 'x', false)",
                "select set_config(?, ?, true)",
                "reset all",
                "discard all",
                "do 'begin end'",
                "call p()",
                "{call p()}",
                "execute p",
                "alter role x set search_path = y",
                "select volatile_one()",
                "select unheard_of(1)",
                "select nextval('a_seq')",
                "select * from acting",
            })
    void mayChangeTheSession(String sql) {
        assertThat(verdict(sql).harmless()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select now(), random(), set_config('app.user', 'x', true)",
                "insert into a values (1)",
                "set statement_timeout = 5",
            })
    void doesNotChangeTheSession(String sql) {
        assertThat(verdict(sql).harmless()).isTrue();
    }

    @Test
    void tablesWithTriggersAreKnown() {
        assertThat(verdict("insert into c values (1)").triggers()).isTrue();
        assertThat(verdict("insert into {g}c values (1)").triggers()).isTrue();
        assertThat(verdict("insert into a values (1)").triggers()).isFalse();
        assertThat(verdict("select id from c").triggers()).isFalse();
    }

    /** Whatever PostgreSQL has, and its releases add, is plain only if it is immutable, or named here. */
    @Test
    void whatIsPlainDependsOnItsArgumentsAndOnSettings() {
        assertThat(
                        database.query(
                                "SELECT DISTINCT proname FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND provolatile = 's'"
                                        + " AND proname !~ '(in|out|send|recv|sel|analyze|transfn|finalfn|_(cmp|eq|ne|lt|le|gt|ge)_.*|_to_xml.*)$'"))
                .filteredOn(name -> verdict("select " + name + "(1)").plain())
                .containsExactlyInAnyOrder(
                        "array_to_json",
                        "array_to_string",
                        "concat",
                        "concat_ws",
                        "date",
                        "date_add",
                        "date_part",
                        "date_subtract",
                        "date_trunc",
                        "extract",
                        "format",
                        "generate_series",
                        "json_agg",
                        "json_build_array",
                        "json_build_object",
                        "json_object_agg",
                        "jsonb_agg",
                        "jsonb_build_array",
                        "jsonb_build_object",
                        "length",
                        "make_timestamptz",
                        "overlaps",
                        "phraseto_tsquery",
                        "plainto_tsquery",
                        "quote_literal",
                        "quote_nullable",
                        "row_to_json",
                        "time",
                        "timestamp",
                        "timestamptz",
                        "timetz",
                        "timezone",
                        "to_char",
                        "to_date",
                        "to_json",
                        "to_jsonb",
                        "to_number",
                        "to_timestamp",
                        "to_tsquery",
                        "to_tsvector",
                        "ts_headline",
                        "websearch_to_tsquery",
                        "convert_from",
                        "convert_to");
    }
}
