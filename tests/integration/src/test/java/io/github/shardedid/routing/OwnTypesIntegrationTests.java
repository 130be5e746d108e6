package io.github.shardedid.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.topology.ShardSchema;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.util.PGobject;

/** Types of the shards' schemas that are given to the driver by their names, over one session per database. */
@Tag("quick")
class OwnTypesIntegrationTests {
    private NamesCluster cluster;

    @BeforeEach
    void start() {
        cluster = new NamesCluster();
        for (int shard = 0; shard < NamesCluster.SHARDS; shard++) {
            String values = shard % 2 == 0 ? "'a', 'b'" : "'b', 'a'";
            cluster.home(shard)
                    .execute(
                            """
                    CREATE TYPE %1$s.kind AS ENUM (%2$s);
                    CREATE TABLE %1$s.thing (id int, kind %1$s.kind, email citext)"""
                                    .formatted(ShardSchema.nameOf(shard), values));
        }
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"kind", "KIND", "sharded_id_shard.kind"})
    void anObjectIsOfTheShardsOwnType(String type) throws SQLException {
        for (int shard : new int[] {1, 0, 2, 3, 0, 1}) {
            try (Connection connection = cluster.routed().getConnection();
                    ShardContext.Scope scope = ShardContext.open(shard);
                    PreparedStatement insert =
                            connection.prepareStatement("INSERT INTO sharded_id_shard.thing VALUES (1, ?, ?)")) {
                insert.setObject(1, object(type, "a"));
                insert.setObject(2, object("citext", "Ada@x.org"));
                assertThat(insert.executeUpdate()).isOne();
            }
            assertThat(cluster.query(shard, "SELECT count(*) FROM thing WHERE email = 'ada@X.org'"))
                    .isNotEqualTo("0");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"kind", "sharded_id_shard.kind"})
    void anArrayIsOfTheShardsOwnType(String type) throws SQLException {
        for (int shard : new int[] {1, 0, 2, 3, 0, 1}) {
            try (Connection connection = cluster.routed().getConnection();
                    ShardContext.Scope scope = ShardContext.open(shard);
                    PreparedStatement select = connection.prepareStatement("SELECT max(x)::text FROM unnest(?) x")) {
                select.setArray(1, connection.createArrayOf(type, new Object[] {"a", "b"}));
                try (ResultSet row = select.executeQuery()) {
                    row.next();
                    assertThat(row.getString(1)).isEqualTo(shard % 2 == 0 ? "b" : "a");
                }
            }
        }
    }

    /** The driver calls a type by its name alone if the session has met it under the path of its shard. */
    @Test
    void anArrayThatWasReadIsOfTheShardsOwnType() throws SQLException {
        for (int shard : new int[] {1, 0, 2, 3, 0, 1}) {
            try (Connection connection = cluster.routed().getConnection();
                    ShardContext.Scope scope = ShardContext.open(shard);
                    PreparedStatement select = connection.prepareStatement(
                            "SELECT count(*) FROM sharded_id_shard.thing WHERE kind = ANY (?)")) {
                Array array;
                try (PreparedStatement read = connection.prepareStatement("SELECT ARRAY['a'::kind]");
                        ResultSet row = read.executeQuery()) {
                    row.next();
                    array = row.getArray(1);
                    assertThat(array.getBaseTypeName()).contains("kind");
                }
                select.setArray(1, array);
                try (ResultSet row = select.executeQuery()) {
                    row.next();
                    assertThat(row.getLong(1)).isZero();
                }
            }
        }
    }

    /** The extension citext has aggregates with the names of PostgreSQL's own. */
    @Test
    void aggregatesThatAnExtensionHasForItsOwnTypes() throws SQLException {
        assertThat(max("id")).isEqualTo("null");
        assertThatThrownBy(() -> max("email")).isInstanceOf(UnsupportedStatementException.class);
    }

    private String max(String column) throws SQLException {
        try (Connection connection = cluster.routed().getConnection();
                ShardContext.Scope scope = ShardContext.open(ShardSet.all());
                PreparedStatement select =
                        connection.prepareStatement("SELECT max(t." + column + ") FROM sharded_id_shard.thing t");
                ResultSet row = select.executeQuery()) {
            row.next();
            return String.valueOf(row.getString(1));
        }
    }

    private static PGobject object(String type, String value) throws SQLException {
        PGobject object = new PGobject();
        object.setType(type);
        object.setValue(value);
        return object;
    }
}
