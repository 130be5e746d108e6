package io.github.shardedid.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** LIMIT and OFFSET over several shards. */
@Tag("quick")
class ScatterPagesIntegrationTests extends ScatteredPhotos {
    @Test
    void pagesAskEachShardForTheRowsBeforeThemToo() throws SQLException {
        cluster.resetTaps();
        assertThat(cluster.all(IDS + " order by p.id limit ? offset ?", 5, 20))
                .containsExactly("32|", "33|", "34|", "35|", "40|");
        assertThat(cluster.sent())
                .filteredOn(text -> text.contains("sharded_id_key"))
                .isNotEmpty()
                .allMatch(text -> text.contains(" limit 25") && !text.contains("offset"));
        assertThat(cluster.all(IDS + " order by p.id limit ? offset ?", 5, 33)).containsExactly("53|", "54|", "55|");
        assertThat(cluster.all(IDS + " order by p.id limit ? offset ?", 5, 36)).isEmpty();
        assertThat(cluster.all(IDS + " order by p.id limit ? offset ?", 0, 3)).isEmpty();
        assertThat(cluster.all(IDS + " order by p.id limit ? offset ?", 2, 48)).isEmpty();
        assertThat(cluster.in(ShardSet.of(Set.of(1, 3)), IDS + " order by p.caption desc, p.id limit 2 offset 1"))
                .containsExactly("53|", "41|");
    }

    @Test
    void theMostRowsOfAStatementCountBehindItsOffset() throws SQLException {
        try (Connection connection = cluster.routed.getConnection();
                ShardContext.Scope scope = ShardContext.open(ShardSet.all());
                PreparedStatement statement = connection.prepareStatement(IDS + " order by p.id offset 4")) {
            statement.setMaxRows(2);
            try (ResultSet rows = statement.executeQuery()) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getRow()).isEqualTo(1);
                assertThat(rows.getLong(1)).isEqualTo(4);
                assertThat(rows.next()).isTrue();
                assertThat(rows.next()).isFalse();
            }
        }
    }

    @Test
    void theMostRowsOfAPlainStatementCountAtEachExecution() throws SQLException {
        try (Connection connection = cluster.routed.getConnection();
                ShardContext.Scope scope = ShardContext.open(ShardSet.all());
                Statement statement = connection.createStatement()) {
            statement.setMaxRows(2);
            for (int execution = 0; execution < 2; execution++) {
                try (ResultSet rows = statement.executeQuery(IDS)) {
                    assertThat(rows.next()).isTrue();
                    assertThat(rows.next()).isTrue();
                    assertThat(rows.next()).isFalse();
                }
            }
        }
    }

    @Test
    void offsetsThatAreTooDeepOrHaveNoMeaningAreRefused() throws SQLException {
        cluster.all(IDS);
        cluster.resetTaps();
        for (Object[] page : new Object[][] {
            {5, 46},
            {51, 1},
            {1, Long.MAX_VALUE},
            {Long.MAX_VALUE - 1, Long.MAX_VALUE},
            {Long.MAX_VALUE - 1, 1},
            {0, 51}
        }) {
            assertThatExceptionOfType(UnsupportedStatementException.class)
                    .isThrownBy(() -> cluster.all(IDS + " order by p.id limit ? offset ?", page))
                    .withMessageContaining("OFFSET " + page[1] + " with " + page[0] + " rows")
                    .withMessageContaining("more than 50 rows")
                    .withMessageContaining("ScatterOptions.maxRows")
                    .withMessageContaining("ScrollPosition.keyset()");
        }
        Map<String, String> refused = Map.of(
                IDS + " limit 5 offset 5",
                "OFFSET 5 without ORDER BY",
                IDS + " order by p.id offset 5",
                "OFFSET 5 with all rows",
                IDS + " order by p.id limit all offset 5",
                "OFFSET 5 with all rows",
                IDS + " order by p.id limit null offset 5",
                "OFFSET 5 with all rows");
        refused.forEach((sql, message) -> assertThatExceptionOfType(UnsupportedStatementException.class)
                .isThrownBy(() -> cluster.all(sql))
                .withMessageContaining(message));
        assertThat(cluster.sent()).isEmpty();
    }
}
