package io.github.shardedid.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationTargetException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Blob;
import java.sql.Clob;
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
        ScatterOptions options = new ScatterOptions(2, 1, Duration.ofSeconds(5), 50);
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
        String key = "(case p.id when 0 then 'a ' || chr(10) else 'a' || chr(11) end)::char(3) collate \"C\"";
        assertThat(cluster.all(IDS + " where p.id < 2 order by " + key)).containsExactly("1|", "0|");
    }

    @Test
    void aLimitIsAWholeNumber() throws SQLException {
        Object[] fractions = {
            new BigDecimal("2.5"), 2.7, 2.0, 2.7f, Double.NaN, Double.POSITIVE_INFINITY, -1, new BigDecimal("2.00")
        };
        for (Object rows : fractions) {
            for (String bound : List.of(" limit ?", " offset ?")) {
                assertThatThrownBy(() -> cluster.all(IDS + " order by p.id" + bound, rows))
                        .as(bound + rows)
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("must be a whole number");
            }
        }
        for (Object rows : new Object[] {2, 2L, (short) 2}) {
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

    /** What a result gives leads to nothing that could write, or read what another transaction of the pool's connection is doing. */
    @Test
    void objectsOfARowDoNotLeadToTheirDatabase() throws SQLException {
        for (int shard = 0; shard < 6; shard++) {
            cluster.databases.get(shard % 2).execute("SELECT lo_create(" + (7_000_000 + shard) + ")");
        }
        String sql = "select (7000000 + p.id)::oid as lob, array[p.id] as ids, p.raw, ('<x/>'::text)::xml as doc"
                + " from sharded_id_shard.photo p where p.id < 6 order by p.id";
        for (int fetchSize = 0; fetchSize < 2; fetchSize++) {
            try (Connection connection = cluster.routed.getConnection()) {
                connection.setAutoCommit(false);
                try (ShardContext.Scope scope = ShardContext.open(0)) {
                    connection.createStatement().execute("UPDATE sharded_id_shard.photo SET flag = NULL WHERE id = 0");
                }
                try (ShardContext.Scope scope = ShardContext.open(ShardSet.all());
                        PreparedStatement statement = connection.prepareStatement(sql)) {
                    statement.setFetchSize(fetchSize);
                    ResultSet rows = statement.executeQuery();
                    assertThat(rows.getConcurrency()).isEqualTo(ResultSet.CONCUR_READ_ONLY);
                    while (rows.next()) {
                        for (Object lob : new Object[] {rows.getBlob(1), rows.getObject("lob", Blob.class)}) {
                            Blob blob = (Blob) lob;
                            assertThatExceptionOfType(SQLFeatureNotSupportedException.class)
                                    .isThrownBy(() -> blob.setBytes(1, new byte[] {1}))
                                    .withMessageContaining("transaction of its shard");
                            assertThatExceptionOfType(SQLFeatureNotSupportedException.class)
                                    .isThrownBy(blob::length);
                            blob.free();
                        }
                        Clob clob = rows.getClob(1);
                        assertThatExceptionOfType(SQLFeatureNotSupportedException.class)
                                .isThrownBy(() -> clob.setString(1, "x"));
                        assertThatExceptionOfType(SQLFeatureNotSupportedException.class)
                                .isThrownBy(() -> clob.truncate(0));
                        ResultSet elements = rows.getArray(2).getResultSet();
                        assertThat(elements.next()).isTrue();
                        assertThat(elements.getStatement()).isSameAs(statement);
                        assertThat(elements.getStatement().getConnection()).isSameAs(connection);
                        assertThat(rows.getStatement().getConnection()).isSameAs(connection);
                        assertThat(rows.getSQLXML(4).getString()).isEqualTo("<x/>");
                        for (String method : List.of("updateRow", "deleteRow", "insertRow", "refreshRow")) {
                            assertThatExceptionOfType(SQLFeatureNotSupportedException.class)
                                    .as(method)
                                    .isThrownBy(() -> invoke(rows, method));
                        }
                        assertThatExceptionOfType(SQLFeatureNotSupportedException.class)
                                .isThrownBy(() -> rows.updateLong(1, 1));
                    }
                }
                connection.rollback();
            }
        }
    }

    private static void invoke(ResultSet rows, String method) throws Throwable {
        try {
            ResultSet.class.getMethod(method).invoke(rows);
        } catch (InvocationTargetException e) {
            throw e.getCause();
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
