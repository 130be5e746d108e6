package io.github.shardedid.move.internal.comparison;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.move.MoveUnfinishedException;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever somebody does to a copy, the comparison of all rows finds it, and names the rows. */
class TamperedCopyIntegrationTests {
    private static ReplicatedShard shard;

    @BeforeAll
    static void copy() {
        shard = new ReplicatedShard(false);
    }

    @AfterEach
    void repair() {
        shard.repair();
    }

    @AfterAll
    static void drop() {
        if (shard != null) {
            shard.close();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "UPDATE photo SET caption = 'other' WHERE id = 1234 | photo | (id) = (1234) | 1 rows, the target 1",
                "UPDATE photo SET tags = '{}' WHERE id = 3000 | photo | (3000) | 1 rows, the target 1",
                "UPDATE photo SET about = '{\"b\":1}' WHERE id = 1 | photo | (1) | 1 rows",
                "UPDATE photo SET score = 0.1428571428571429 WHERE id = 2 | photo | (2) | 1 rows",
                "DELETE FROM photo WHERE id IN (7, 8, 2999) | photo | (2999), (7), (8) | 3 rows, the target 0",
                "INSERT INTO photo (id) VALUES (-1), (9999) | photo | (-1), (9999) | 0 rows, the target 2",
                "TRUNCATE photo | photo | differ in table photo | the target 0",
                "UPDATE \"Odd \"\"table\" SET note = NULL WHERE part = 12.3 | Odd \"table | (part, The key, feeling) = (12.3 | 1 rows",
                "UPDATE event SET note = '' WHERE id = 2 | event_1 | (2, 1) | 1 rows",
                "UPDATE value SET exact = 1.00 WHERE id = 1 | value | (1) | 1 rows",
                "UPDATE value SET rough = '-0' WHERE id = 1 | value | (1) | 1 rows",
                "UPDATE value SET big = 4294967296 WHERE id = 2 | value | (2) | 1 rows",
                "UPDATE value SET one = NULL WHERE id = 2 | value | (2) | 1 rows",
                "UPDATE value SET one = other, other = one WHERE id = 3 | value | (3) | 1 rows",
                "UPDATE value SET other = concat('b', 8 - id) WHERE id IN (3, 5) | value | (3), (5) | 2 rows",
                "UPDATE value SET padded = 'p ' WHERE id = 3 | value | (3) | 1 rows",
                "UPDATE value SET folded = 'F' WHERE id = 3 | value | (3) | 1 rows",
                "UPDATE value SET exacts = '{1.00}' WHERE id = 3 | value | (3) | 1 rows",
                "UPDATE value SET amount = 1.00 WHERE id = 3 | value | (3) | 1 rows",
                "UPDATE value SET moment = moment + interval '1 us' WHERE id = 3 | value | (3) | 1 rows",
                "UPDATE bag SET text = 'texts' WHERE number = 5 | bag | no key | 100 rows",
                "DELETE FROM by_index WHERE a = 1 | by_index | (1) | 1 rows, the target 0",
                "INSERT INTO bag VALUES (1, 'text') | bag | no key | 100 rows, the target 101",
                "UPDATE bag SET text = NULL WHERE number = 5 | bag | no key | 100 rows, the target 100",
                "DELETE FROM bag WHERE ctid IN (SELECT ctid FROM bag LIMIT 1) | bag | no key | 100 rows, the target 99",
            })
    void aCopyThatWasTamperedWithIsFound(String sql, String table, String keys, String counts) throws SQLException {
        shard.tamper(sql);

        assertFound(50, table, keys, counts);
        assertFound(20_000, table, keys, counts);
    }

    private static void assertFound(int rowsInARange, String table, String keys, String counts) throws SQLException {
        try (ContentComparison comparison = shard.comparison(rowsInARange, 100_000)) {
            assertThatThrownBy(comparison::full)
                    .isInstanceOf(MoveUnfinishedException.class)
                    .hasMessageContaining("differ in table")
                    .hasMessageContaining("table " + table)
                    .hasMessageContaining(keys)
                    .hasMessageContaining(counts)
                    .hasMessageContaining("abort the move");
        }
    }
}
