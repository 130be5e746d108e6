package io.github.shardedid.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.shardedid.test.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Operators and casts of the application in queries over several shards, and aggregates without rows. */
@Tag("quick")
class OwnOperatorsIntegrationTests extends ScatteredPhotos {
    @BeforeAll
    void create() {
        for (int shard = 0; shard < 6; shard++) {
            String schema = "shard_000" + shard;
            cluster.databases
                    .get(shard % 2)
                    .execute(
                            """
                    SET search_path TO %1$s;
                    CREATE FUNCTION same(bigint, bigint) RETURNS boolean IMMUTABLE LANGUAGE sql AS 'SELECT $1 = $2';
                    CREATE OPERATOR ==== (LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = same);
                    CREATE FUNCTION total(photo) RETURNS bigint STABLE LANGUAGE sql AS 'SELECT count(*) FROM %1$s.photo';
                    CREATE FUNCTION kin(bigint) RETURNS text IMMUTABLE LANGUAGE sql AS 'SELECT ''of %1$s''';
                    CREATE FUNCTION bound(bigint) RETURNS text IMMUTABLE LANGUAGE sql SET search_path = pg_catalog AS 'SELECT ''of %1$s''';
                    CREATE FUNCTION ceil(bigint) RETURNS text IMMUTABLE LANGUAGE sql AS 'SELECT ''own''';
                    CREATE FUNCTION joined(text, bigint) RETURNS text IMMUTABLE LANGUAGE sql AS 'SELECT ''joined''';
                    CREATE OPERATOR || (LEFTARG = text, RIGHTARG = bigint, FUNCTION = joined);
                    CREATE TYPE grade AS ENUM ('b', 'a');
                    CREATE TEXT SEARCH CONFIGURATION words (COPY = pg_catalog.simple)"""
                                    .formatted(schema));
        }
        for (TestDatabase database : cluster.databases) {
            database.execute(
                    """
                    CREATE FUNCTION public.kin(bigint) RETURNS text IMMUTABLE LANGUAGE sql AS 'SELECT ''of public''';
                    CREATE FUNCTION public.calling(bigint) RETURNS text IMMUTABLE LANGUAGE plpgsql AS 'BEGIN RETURN kin($1); END';
                    CREATE TEXT SEARCH CONFIGURATION public.words (COPY = pg_catalog.english);
                    CREATE TYPE public.grade AS ENUM ('a', 'b');
                    CREATE FUNCTION public.total(anyelement) RETURNS bigint STABLE LANGUAGE plpgsql AS $$
                      DECLARE n bigint;
                      BEGIN EXECUTE 'SELECT count(*) FROM ' || pg_typeof($1) INTO n; RETURN n; END $$;
                    CREATE FUNCTION public.caption(anyelement) RETURNS text STABLE LANGUAGE sql AS $$SELECT text 'none'$$;
                    CREATE FUNCTION public.half(anyelement) RETURNS numeric IMMUTABLE LANGUAGE sql AS 'SELECT 0.5';
                    CREATE FUNCTION public.grow(bigint, bigint) RETURNS bigint VOLATILE LANGUAGE sql AS 'SELECT $1 + $2';
                    CREATE AGGREGATE public.grown(bigint) (SFUNC = grow, STYPE = bigint, INITCOND = 0)""");
        }
    }

    /** PostgreSQL takes {@code p.total} for {@code total(p)}. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "select p.total from sharded_id_shard.photo p",
                IDS + " where p.total > 3",
                IDS + " join sharded_id_shard.photo q on q.id = p.id and q.total > 3",
                IDS + " order by p.total, p.id",
                "select sum(p.total) from sharded_id_shard.photo p",
                "select p.id, (select x.total from (select p) x) from sharded_id_shard.photo p",
            })
    void aFunctionThatIsWrittenLikeAColumn(String sql) {
        assertThatExceptionOfType(UnsupportedStatementException.class)
                .isThrownBy(() -> cluster.all(sql.replace("sum(", "pg_catalog.sum(")))
                .withMessageContaining("total");
    }

    @Test
    void aColumnWithTheNameOfAFunction() throws SQLException {
        assertThatExceptionOfType(UnsupportedStatementException.class)
                .isThrownBy(() -> cluster.all("select p.half from sharded_id_shard.photo p limit 1"))
                .withMessageContaining("The column p.half");
        assertThat(cluster.all("select p.caption from sharded_id_shard.photo p where p.id = 21"))
                .containsExactly("c2|");
    }

    @Test
    void anAggregateMadeOfAVolatileFunction() {
        assertThatExceptionOfType(UnsupportedStatementException.class)
                .isThrownBy(() -> cluster.all("select (select grown(c.stars) from sharded_id_shard.comment c"
                        + " where c.photo_id = p.id) from sharded_id_shard.photo p"))
                .withMessageContaining("The function grown");
    }

    @Test
    void oneThatIsImmutable() throws SQLException {
        assertThat(cluster.all(IDS + " where p.id operator(sharded_id_shard.====) 13"))
                .containsExactly("13|");
    }

    /** Beside plain connections, each with the search path of a shard. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "select p.id, kin(p.id), calling(p.id), sharded_id_shard.kin(p.id), public.kin(p.id) from sharded_id_shard.photo p",
                "select p.id, ceil(p.id) from sharded_id_shard.photo p where ceil(p.id) = 'own'",
                "select p.id, p.caption || p.id from sharded_id_shard.photo p",
                "select p.id, grade 'a' < grade 'b' from sharded_id_shard.photo p",
                "select p.id, to_tsvector('words', 'the cats') from sharded_id_shard.photo p",
                "select p.id, current_schema from sharded_id_shard.photo p",
                "select kin(p.id), p.id, pg_catalog.max(kin(p.id)), count(*) from sharded_id_shard.photo p group by p.id",
            })
    void namesAreThoseOfThePathOfEachShard(String sql) throws SQLException {
        List<String> wanted = new ArrayList<>();
        for (int shard = 0; shard < 6; shard++) {
            String schema = "shard_000" + shard;
            try (Connection plain = cluster.databases.get(shard % 2).connect();
                    Statement statement = plain.createStatement()) {
                statement.execute("SET search_path TO " + schema + ", public");
                ResultSet rows = statement.executeQuery(sql.replace("sharded_id_shard", schema));
                while (rows.next()) {
                    StringBuilder row = new StringBuilder();
                    for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                        row.append(rows.getString(i)).append('|');
                    }
                    wanted.add(row.toString());
                }
            }
        }
        assertThat(cluster.all(sql)).containsExactlyInAnyOrderElementsOf(wanted);
        assertThatExceptionOfType(UnsupportedStatementException.class)
                .isThrownBy(() -> cluster.in(ShardSet.all().withFetchSize(2), sql))
                .withMessageContaining("Write sharded_id_shard.");
        try (Connection connection = cluster.routed.getConnection()) {
            connection.setAutoCommit(false);
            try (ShardContext.Scope scope = ShardContext.open(1);
                    Statement statement = connection.createStatement()) {
                statement.execute("UPDATE photo SET views = views");
            }
            assertThat(ManyShards.query(connection, ShardSet.all(), sql)).containsExactlyInAnyOrderElementsOf(wanted);
            connection.rollback();
        }
    }

    @Test
    void aFunctionWithItsSchemaIsFetchedAsItIsRead() throws SQLException {
        String sql = "select sharded_id_shard.bound(p.id), p.id from sharded_id_shard.photo p where p.id = 13";
        assertThat(cluster.in(ShardSet.all().withFetchSize(2), sql)).containsExactly("of shard_0003|13|");
    }

    @Test
    void whatIsMadeOfGroupsIsThatOfThePath() throws SQLException {
        assertThat(
                        cluster.all(
                                "select ceil(pg_catalog.max(p.id)), ceil(p.id), count(*) from sharded_id_shard.photo p group by ceil(p.id)"))
                .containsExactly("own|own|36|");
    }

    @Test
    void anAggregateWithoutRows() throws SQLException {
        String count = "select count(*) from sharded_id_shard.photo p";
        String sum = "select pg_catalog.sum(p.views), pg_catalog.max(p.id) from sharded_id_shard.photo p";
        assertThat(cluster.all(count + " limit ?", 1)).containsExactly("36|");
        assertThat(cluster.all(sum + " limit ?", 1)).containsExactly("90|55|");
        for (String sql : List.of(count, sum, count + " order by 1")) {
            assertThat(cluster.all(sql + " limit ?", 0)).as(sql).isEmpty();
            assertThat(cluster.all(sql + " fetch first 0 rows only")).as(sql).isEmpty();
            assertThat(cluster.all(sql + " limit 1 offset ?", 1)).as(sql).isEmpty();
        }
    }
}
