package io.github.shardedid.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns whose types each shard's schema has for itself, in queries over several shards: to PostgreSQL these are different types. */
@Tag("quick")
class ScatterOwnTypesIntegrationTests extends ScatteredPhotos {
    private static final String FELT = " from sharded_id_shard.felt f";

    @BeforeAll
    void createTypes() {
        for (int shard = 0; shard < 6; shard++) {
            String schema = ShardSchema.nameOf(shard);
            cluster.databases
                    .get(shard % 2)
                    .execute(
                            """
                    CREATE DOMAIN %1$s.tone AS %1$s.mood;
                    CREATE DOMAIN %1$s.note AS text;
                    CREATE TYPE %1$s.pair AS (a int, m %1$s.mood);
                    CREATE TABLE %1$s.felt (id bigint PRIMARY KEY, mood %1$s.mood, moods %1$s.mood[], tone %1$s.tone,
                      note %1$s.note, pair %1$s.pair);
                    INSERT INTO %1$s.felt VALUES (%2$s, '%3$s', '{sad,glad}', '%3$s', 'n%2$s', (%2$s, 'sad')),
                      (%2$s + 10, NULL, NULL, NULL, NULL, NULL)"""
                                    .formatted(schema, shard, shard < 3 ? "sad" : "glad"));
        }
    }

    @Test
    void theyAreReturned() throws SQLException {
        for (int i = 0; i < 2; i++) {
            assertThat(cluster.all("select f.id, f.mood, f.moods, f.tone, f.note, f.pair" + FELT
                            + " where f.id < 10 order by f.id"))
                    .containsExactly(
                            "0|sad|{sad,glad}|sad|n0|(0,sad)|",
                            "1|sad|{sad,glad}|sad|n1|(1,sad)|",
                            "2|sad|{sad,glad}|sad|n2|(2,sad)|",
                            "3|glad|{sad,glad}|glad|n3|(3,sad)|",
                            "4|glad|{sad,glad}|glad|n4|(4,sad)|",
                            "5|glad|{sad,glad}|glad|n5|(5,sad)|");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mood", "moods", "tone", "pair"})
    void eachOfThemIsReturned(String column) throws SQLException {
        assertThat(cluster.all("select f." + column + FELT + " where f.id = 3 or f.id = 5 or f.id = 15 order by f.id"))
                .hasSize(3)
                .last()
                .isEqualTo("null|");
        assertThat(cluster.all("select f.id, f." + column + FELT + " order by f.id desc limit 3 offset 1"))
                .extracting(row -> row.substring(0, 3))
                .containsExactly("14|", "13|", "12|");
    }

    @Test
    void aStatementForTwoShardsFailsOnlyOnce() throws SQLException {
        String sql = "select f.mood, f.id, 'once'" + FELT + " order by f.id limit 1";
        cluster.all(sql);
        cluster.resetTaps();
        assertThat(cluster.all(sql)).containsExactly("sad|0|once|");
        assertThat(String.join("", cluster.sent())).doesNotContain("union all");
    }

    @Test
    void theTransactionGoesOn() throws SQLException {
        try (Connection connection = cluster.routed.getConnection()) {
            connection.setAutoCommit(false);
            try (ShardContext.Scope scope = ShardContext.open(0)) {
                connection.createStatement().execute("INSERT INTO sharded_id_shard.felt VALUES (90, 'glad')");
            }
            assertThat(ManyShards.query(
                            connection,
                            ShardSet.all(),
                            "select f.id, f.mood" + FELT + " where f.id > 15 order by f.id"))
                    .containsExactly("90|glad|");
            try (ShardContext.Scope scope = ShardContext.open(0)) {
                connection.createStatement().execute("DELETE FROM sharded_id_shard.felt WHERE id = 90");
            }
            connection.commit();
        }
    }

    @Test
    void theyAreFetchedAsTheyAreRead() throws SQLException {
        assertThat(cluster.in(ShardSet.all().withFetchSize(1), "select f.mood, f.id" + FELT + " order by f.id desc"))
                .hasSize(12)
                .startsWith("null|15|")
                .endsWith("sad|0|");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select f.COLUMN, count(*) from sharded_id_shard.felt f group by f.COLUMN",
                "select distinct f.COLUMN from sharded_id_shard.felt f",
                "select f.id from sharded_id_shard.felt f order by f.COLUMN",
                "select f.id from sharded_id_shard.felt f order by f.COLUMN limit 2",
                "select max(f.COLUMN) from sharded_id_shard.felt f"
            })
    void theyAreNotComparedOverShards(String sql) {
        for (String column : List.of("mood", "moods", "tone", "pair")) {
            if (!sql.contains("max(") || column.startsWith("mood")) {
                assertThatThrownBy(() -> cluster.all(sql.replace("COLUMN", column)))
                        .as(sql + column)
                        .isInstanceOf(UnsupportedStatementException.class)
                        .hasMessageMatching("(?s).*(text|cast them).*");
            }
        }
    }

    @Test
    void theirTextsAreGroupedAndOrdered() throws SQLException {
        assertThat(cluster.all("select f.mood::text, count(*)" + FELT + " where f.id < 10 group by f.mood::text"
                        + " order by f.mood::text"))
                .containsExactly("glad|3|", "sad|3|");
    }
}
