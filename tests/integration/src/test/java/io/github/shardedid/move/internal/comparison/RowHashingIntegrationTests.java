package io.github.shardedid.move.internal.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows have the same hash just when replication would bring the same. */
@Tag("quick")
class RowHashingIntegrationTests {
    private static TestDatabase database;

    @BeforeAll
    static void create() {
        database = PostgresServers.shared(1).newDatabase();
        database.execute("CREATE PUBLICATION all_of_it FOR ALL TABLES; CREATE EXTENSION IF NOT EXISTS citext");
    }

    @AfterEach
    void empty() {
        database.execute("DROP TABLE t");
    }

    @AfterAll
    static void drop() {
        database.drop();
    }

    /** The hash of each of the rows, which are given as SQL. */
    private List<String> hashes(String columns, List<String> rows) throws SQLException {
        database.execute("CREATE TABLE t (" + columns + ")");
        rows.forEach(row -> database.execute("INSERT INTO t VALUES " + row));
        try (Connection connection = database.connect()) {
            ComparedTable table =
                    ComparedTable.published(connection, "all_of_it", "public").get(0);
            return database.query("SELECT " + table.hash() + " FROM t ORDER BY ctid");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "numeric | 1.0 | 1.00",
                "numeric | NaN | 0",
                "float8 | 0 | -0",
                "float4 | 0 | -0",
                "float8 | 1 | NaN",
                "int8 | 1 | 4294967296",
                "int8 | -1 | 0",
                "int4 | 7 | -7",
                "int2 | 1 | 2",
                "bool | true | false",
                "text | a | A",
                "text | e\u0301 | \u00e9",
                "varchar | a | 'a '",
                "bpchar | a | 'a '",
                "citext | a | A",
                "uuid | 00000000-0000-0000-0000-000000000000 | 00000000-0000-0000-0000-000000000001",
                "date | infinity | -infinity",
                "date | 2024-01-01 | 2024-01-02",
                "time | 00:00 | 24:00",
                "timetz | 12:00+00 | 13:00+01",
                "timestamp | 2024-01-01 | infinity",
                "timestamptz | 2000-01-01 00:00:00.000001+00 | 2000-01-01 01:11:34.967296+00",
                "interval | 1 day | 24 hours",
                "interval | 1 mon | 30 days",
                "bytea | \\x | \\x00",
                "json | {} | { }",
                "jsonb | {\"a\":1.0} | {\"a\":1.00}",
                "numeric[] | {1.0} | {1.00}",
                "text[] | {NULL} | {\"NULL\"}",
                "int4range | [1,2) | empty",
                "inet | 10.0.0.1 | 10.0.0.1/31",
                "bit(3) | 101 | 100",
                "\"char\" | a | b",
                "name | a | b",
                "money | 1 | 2",
                "xml | <a/> | <a></a>",
                "oid | 1 | 2",
                "regclass | pg_class | pg_proc",
            })
    void valuesThatReplicationTellsApartHaveDifferentHashes(String type, String one, String other) throws SQLException {
        List<String> hashes =
                hashes("v " + type, List.of("('" + one + "')", "('" + other + "')", "(NULL)", "('" + one + "')"));

        assertThat(hashes.get(0)).isEqualTo(hashes.get(3));
        assertThat(hashes.subList(0, 3)).doesNotHaveDuplicates();
    }

    @Test
    void emptyTextsAndNullsAndChangedPlacesAreToldApart() throws SQLException {
        assertThat(hashes(
                        "a text, b text",
                        List.of(
                                "('', NULL)",
                                "(NULL, '')",
                                "('', '')",
                                "(NULL, NULL)",
                                "('x', 'y')",
                                "('y', 'x')",
                                "('xy', '')",
                                "('', 'xy')")))
                .doesNotHaveDuplicates();
    }

    @Test
    void valuesThatChangePlacesBetweenRowsChangeTheSum() throws SQLException {
        List<String> hashes = hashes("a int8, b int8", List.of("(1, 2)", "(3, 4)", "(1, 4)", "(3, 2)"));
        assertThat(sum(hashes.subList(0, 2))).isNotEqualTo(sum(hashes.subList(2, 4)));
    }

    private static long sum(List<String> hashes) {
        return hashes.stream().mapToLong(Long::parseLong).sum();
    }

    @Test
    void aTableMayHaveManyColumnsOfText() throws SQLException {
        String columns = String.join(
                ", ", IntStream.range(0, 1_000).mapToObj(i -> "c" + i + " text").toList());
        String first = "(NULL" + ", ''".repeat(999) + ")";
        String last = "(''" + ", ''".repeat(998) + ", NULL)";
        String middle = "(''" + ", ''".repeat(44) + ", NULL" + ", ''".repeat(954) + ")";
        assertThat(hashes(columns, List.of(first, last, middle, "(''" + ", ''".repeat(999) + ")")))
                .doesNotHaveDuplicates();
    }
}
