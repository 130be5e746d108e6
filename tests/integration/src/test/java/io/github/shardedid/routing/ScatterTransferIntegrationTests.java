package io.github.shardedid.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.shardedid.topology.ShardSchema;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The driver receives the values of a statement as text at first and in binary after some executions, and some have another text
 * then. Here, those of one database come as text and those of the other one in binary.
 */
@Tag("embedded-only")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ScatterTransferIntegrationTests {
    private static final String KINDS = " from sharded_id_shard.kind k";
    private static final List<String> ROWS = List.of(
            "-1, 1, -5000000000, 4000000000, 1.50, 0.1, 0.1, true, '2024-02-29', '24:00', '12:00+02',"
                    + " 'infinity', '1883-01-01 10:00:00.000001+00', 'f0000000-0000-0000-0000-000000000001',"
                    + " '\\x0041ff', 'b', 'b', 'b', 'b', '{\"b\": 1}'",
            "2, -7, 0, 7, 'NaN', 'NaN', 'NaN', false, 'infinity', '00:00', '10:00+00', '0044-03-15 BC', '-infinity',"
                    + " '10000000-0000-0000-0000-000000000001', '', 'a', 'a', 'a', 'a', '[]'",
            "2, 2, 7, 2, '1e-20', '1e-45', '5e-324', null, '0044-03-15 BC', '23:59:59.999999', '10:00:00.1-15:59:59',"
                    + " '2024-03-31 02:30', '2024-03-31 02:30+02', null, '\\x5b42', '\u00e4', '', '', '\u00e4', 'null'",
            "null, null, null, null, 12345678901234567890.5, 3.4e38, '-0', null, null, null, null, null, null, null, null,"
                    + " null, null, null, null, null",
            "0, 0, 9, 9, '-Infinity', 16777216, 'Infinity', true, '-infinity', '00:00:00.000001', '10:00-00:30',"
                    + " '-infinity', 'infinity', '00000000-0000-0000-0000-000000000000', '\\xff', 'A', 'A', 'A', 'A', '1.0'");

    private ManyShards cluster;

    @BeforeAll
    void start() {
        ScatterOptions options = new ScatterOptions(1, 1, Duration.ofSeconds(5), 10_000);
        cluster = new ManyShards(4, options, "template1", List.of(ManyShards.BINARY, "&prepareThreshold=0"));
        for (int shard = 0; shard < 4; shard++) {
            fill(shard % 2, ShardSchema.nameOf(shard), shard);
        }
        fill(0, "plain", 0);
        for (int shard = 1; shard < 4; shard++) {
            cluster.databases.get(0).execute(inserts("plain", shard));
        }
    }

    private void fill(int database, String schema, int shard) {
        String table =
                """
                CREATE TABLE %s.kind (id bigint PRIMARY KEY, small int2, whole int4, big int8, number oid, exact numeric,
                  short real, ratio float8, flag boolean, day date, clock time, zoned timetz, made timestamp, at timestamptz,
                  token uuid, raw bytea, words text, brief varchar(5), called name, padded char(4), doc jsonb);"""
                        .formatted(schema);
        cluster.databases.get(database).execute(table + inserts(schema, shard));
    }

    /** The rows begin with another one in each shard, so that equal values come in another order of the ids. */
    private static String inserts(String schema, int shard) {
        StringBuilder sql = new StringBuilder();
        for (int i = 0; i < ROWS.size(); i++) {
            sql.append("INSERT INTO " + schema + ".kind VALUES (" + (i * 4 + shard) + ", "
                    + ROWS.get((i + shard) % ROWS.size()) + ");");
        }
        return sql.toString();
    }

    @AfterAll
    void stop() {
        cluster.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "small", "whole", "big", "number", "exact", "short", "ratio", "flag", "day", "clock", "made", "at",
                "token", "raw", "words", "brief", "called", "padded", "doc"
            })
    void equalValuesAreOneGroup(String column) throws SQLException {
        same("select distinct k." + column + KINDS + " order by k." + column);
        same("select k." + column + ", count(*), min(k.id), max(k.id)" + KINDS + " group by k." + column
                + " order by 1 desc");
        same("select count(*)" + KINDS + " group by k." + column + " having count(k." + column + ") > 0 order by k."
                + column);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "small", "whole", "big", "number", "exact", "short", "ratio", "day", "clock", "made", "at", "words",
                "brief", "padded"
            })
    void theGreatestAndTheLeast(String column) throws SQLException {
        same("select min(k." + column + "), max(k." + column + ")" + KINDS);
        same("select min(k." + column + "), max(k." + column + "), 1" + KINDS);
        same("select k.id % 3, max(k." + column + ")" + KINDS + " group by k.id % 3 order by 1");
    }

    /** By the id where the values are equal, whatever statement they are of. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "small", "whole", "big", "number", "exact", "short", "ratio", "flag", "day", "clock", "made", "at",
                "token", "raw", "words", "brief", "called", "padded"
            })
    void equalValuesAreInTheOrderOfTheNextKey(String column) throws SQLException {
        for (String order : List.of("", " desc", " nulls first", " desc nulls last")) {
            String sql = "select k.id" + KINDS + " order by k." + column + order + ", k.id";
            same(sql);
            List<String> pages = new ArrayList<>();
            for (int offset = 0; offset < 20; offset += 3) {
                pages.addAll(cluster.all(sql + " limit 3 offset ?", offset));
            }
            assertThat(pages).as(sql).isEqualTo(cluster.plain(sql));
        }
    }

    /** In binary, the driver changes the zone to that of the JVM, and to PostgreSQL it is part of the value. */
    @Test
    void timesWithAZoneAreGroupedByTheirTexts() throws SQLException {
        for (String sql : List.of(
                "select distinct k.zoned" + KINDS,
                "select k.zoned, count(*)" + KINDS + " group by k.zoned",
                "select k.flag, max(k.zoned)" + KINDS + " group by k.flag",
                "select max(k.zoned)" + KINDS,
                "select k.id" + KINDS + " order by k.zoned")) {
            assertThatExceptionOfType(UnsupportedStatementException.class)
                    .as(sql)
                    .isThrownBy(() -> cluster.all(sql))
                    .withMessageContaining("timetz");
        }
        same("select k.zoned::text, count(*)" + KINDS + " group by k.zoned::text order by k.zoned::text");
    }

    private void same(String sql) throws SQLException {
        assertThat(cluster.all(sql)).as(sql).isEqualTo(cluster.plain(sql));
    }
}
