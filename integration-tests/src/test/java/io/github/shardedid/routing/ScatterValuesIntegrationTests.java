package io.github.shardedid.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Values whose order, rounding or text PostgreSQL and Java see differently, in queries over several shards. */
@Tag("quick")
class ScatterValuesIntegrationTests extends ScatteredPhotos {
    /** In WIN1251, U+0451 comes before U+0430; in UTF-8 behind it. */
    @Test
    void textInAnotherEncodingIsMergedByADatabase() throws SQLException {
        ScatterOptions options = new ScatterOptions(2, 1, 1, Duration.ofSeconds(5), 50, 10_000, null);
        try (ManyShards other =
                new ManyShards(6, options, "template0 ENCODING 'WIN1251' LC_COLLATE 'C' LC_CTYPE 'C'")) {
            for (int shard = 0; shard < 4; shard++) {
                other.databases
                        .get(shard % 2)
                        .execute("INSERT INTO shard_000" + shard + ".photo (id, caption) VALUES (" + shard + ", '"
                                + (shard % 2 == 0 ? "\u0451" : "\u0430") + "')");
            }
            String order = IDS + " order by p.caption collate \"C\"";
            assertThat(other.all(order)).containsExactly("0|", "2|", "1|", "3|");
            assertThat(other.all(order + " limit 1")).containsExactly("0|");
            assertThat(other.all(IDS + " order by lower(p.caption collate \"C\") desc"))
                    .containsExactly("1|", "3|", "0|", "2|");
            assertThat(other.in(ShardSet.of(Set.of(0, 2)), order + ", p.id")).containsExactly("0|", "2|");
            assertThat(other.all(IDS + " order by p.id desc limit 1")).containsExactly("3|");
        }
    }

    @Test
    void paddingEndsBeforeALineFeed() throws SQLException {
        String key = "(case p.id when 0 then E'a \\n' else E'a\\x0b' end)::char(3) collate \"C\"";
        assertThat(cluster.all(IDS + " where p.id < 2 order by " + key)).containsExactly("1|", "0|");
    }

    @Test
    void aLimitIsAWholeNumber() throws SQLException {
        Object[] fractions = {
            new BigDecimal("2.5"), 2.7, 2.7f, Double.NaN, Double.POSITIVE_INFINITY, -1, new BigDecimal("1e-999999")
        };
        for (Object rows : fractions) {
            for (String bound : List.of(" limit ?", " offset ?")) {
                assertThatThrownBy(() -> cluster.all(IDS + " order by p.id" + bound, rows))
                        .as(bound + rows)
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("must be a whole number");
            }
        }
        for (Object rows : new Object[] {2, 2L, (short) 2, 2.0, new BigDecimal("2.00")}) {
            assertThat(cluster.all(IDS + " order by p.id limit ?", rows)).containsExactly("0|", "1|");
        }
        try (Connection connection = cluster.routed.getConnection();
                ShardContext.Scope scope = ShardContext.open(ShardSet.all());
                PreparedStatement statement = connection.prepareStatement(IDS + " order by p.id limit ?")) {
            for (Object rows : new Object[] {2.5, BigInteger.TWO.pow(70)}) {
                statement.setObject(1, rows, Types.NUMERIC, 0);
                assertThatThrownBy(statement::executeQuery).hasMessageContaining("must be a whole number");
            }
        }
    }

    @Test
    void fieldsAreNotCutOff() throws SQLException {
        try (Connection connection = cluster.routed.getConnection();
                ShardContext.Scope scope = ShardContext.open(ShardSet.all());
                PreparedStatement statement = connection.prepareStatement(IDS);
                Statement plain = connection.createStatement()) {
            statement.setMaxFieldSize(0);
            assertThatExceptionOfType(SQLFeatureNotSupportedException.class)
                    .isThrownBy(() -> statement.setMaxFieldSize(1));
            assertThatExceptionOfType(SQLException.class).isThrownBy(() -> statement.setMaxFieldSize(-1));
            assertThatExceptionOfType(SQLFeatureNotSupportedException.class).isThrownBy(() -> {
                plain.setMaxFieldSize(1);
                plain.executeQuery(IDS);
            });
        }
    }

    @Test
    void aSumIsWrittenAsPostgresWritesIt() throws SQLException {
        try (Connection connection = cluster.routed.getConnection();
                ShardContext.Scope scope = ShardContext.open(ShardSet.all());
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select sum(p.views::float8), sum(p.views::real),"
                        + " sum(p.views * 1e20::float8) from sharded_id_shard.photo p")) {
            row.next();
            assertThat(row.getString(1)).isEqualTo("90");
            assertThat(row.getString(2)).isEqualTo("90");
            assertThat(row.getString(3)).isEqualTo("9e+21");
            assertThat(row.getObject(1)).isEqualTo(90.0);
        }
    }
}
