package io.github.shardedid.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.topology.ShardKeys;
import java.sql.Connection;
import java.sql.JDBCType;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLType;
import java.sql.ShardingKey;
import java.sql.Statement;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** JDBC 4.3: connections that have a shard. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("quick")
class ShardingKeyIntegrationTests {
    private static final String CAPTION = "SELECT caption FROM sharded_id_shard.photo WHERE id = 1";

    private final TwoDatabases databases = new TwoDatabases();

    @AfterAll
    void close() {
        databases.close();
    }

    private ShardingKey key(Object value, SQLType type) throws SQLException {
        return databases.routed.createShardingKeyBuilder().subkey(value, type).build();
    }

    private ShardingKey shard(int shard) throws SQLException {
        return key(shard, ShardingKeyType.SHARD);
    }

    private Connection connect(ShardingKey key) throws SQLException {
        return databases.routed.createConnectionBuilder().shardingKey(key).build();
    }

    private static String caption(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(CAPTION)) {
            rows.next();
            return rows.getString(1);
        }
    }

    @Test
    void aConnectionWithAKeyGoesToItsShardInAndOutsideOfTransactions() throws SQLException {
        for (int shard = 0; shard < 4; shard++) {
            try (Connection connection = connect(shard(shard))) {
                assertThat(caption(connection)).isEqualTo("of shard " + shard);
                assertThat(connection.getSchema()).isEqualTo("shard_000" + shard);
                connection.setAutoCommit(false);
                assertThat(caption(connection)).isEqualTo("of shard " + shard);
                connection.rollback();
            }
        }
    }

    @Test
    void anOpenScopeCountsMoreThanTheKey() throws SQLException {
        try (Connection connection = connect(shard(3))) {
            assertThat(TwoDatabases.read(connection, 0, CAPTION)).isEqualTo("of shard 0");
            try (ShardContext.Scope all = ShardContext.open(ShardSet.all());
                    var statement = connection.prepareStatement("SELECT count(*) FROM sharded_id_shard.photo");
                    ResultSet rows = statement.executeQuery()) {
                rows.next();
                assertThat(rows.getLong(1)).isEqualTo(4);
            }
            assertThat(caption(connection)).isEqualTo("of shard 3");
        }
    }

    @Test
    void aKeyCanBeChangedAndTakenAwayAndWritesStayInOneShard() throws SQLException {
        try (Connection connection = connect(shard(0))) {
            connection.setAutoCommit(false);
            try (Statement write = connection.createStatement()) {
                write.executeUpdate("UPDATE sharded_id_shard.photo SET caption = caption");
                connection.setShardingKey(shard(2));
                assertThat(caption(connection)).isEqualTo("of shard 2");
                assertThatThrownBy(() -> write.executeUpdate("UPDATE sharded_id_shard.photo SET caption = 'other'"))
                        .isInstanceOf(SecondWriteShardException.class);
            }
            connection.rollback();
            connection.setShardingKey(null);
            assertThatThrownBy(() -> caption(connection)).isInstanceOf(NoShardException.class);
        }
    }

    @Test
    void valuesOfShardKeysChooseTheShardAsTheyDoForNewRows() throws SQLException {
        UUID uuid = UUID.fromString("6f0c0b4e-1f0a-4f39-8a7d-3c5d8d4fb0a1");
        assertThat(key(31_341L, JDBCType.BIGINT)).isEqualTo(shard(1));
        assertThat(key(-1, JDBCType.INTEGER)).isEqualTo(shard(3));
        assertThat(key("ada", JDBCType.VARCHAR)).isEqualTo(shard(ShardKeys.shardOf("ada", 4)));
        assertThat(key(uuid, JDBCType.OTHER)).isEqualTo(shard(ShardKeys.shardOf(uuid, 4)));
        long idOfShard2 = (123_456L << 23) | (2 << 10) | 5;
        assertThat(key(idOfShard2, ShardingKeyType.ID)).isEqualTo(shard(2));
    }

    @Test
    void whatNamesNoShardIsRefusedWhenTheKeyIsBuilt() {
        long idOfShard9 = (123_456L << 23) | (9 << 10);
        assertThatThrownBy(() -> shard(4)).isInstanceOf(SQLException.class).hasMessageContaining("0 to 3");
        assertThatThrownBy(() -> shard(-1)).isInstanceOf(SQLException.class);
        assertThatThrownBy(() -> key(idOfShard9, ShardingKeyType.ID))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("shard 9");
        assertThatThrownBy(() -> key(1.5, JDBCType.DOUBLE))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("java.lang.Double");
        assertThatThrownBy(() -> key("1", JDBCType.BIGINT)).isInstanceOf(SQLException.class);
        assertThatThrownBy(() -> databases.routed.createShardingKeyBuilder().build())
                .hasMessageContaining("one subkey, not 0");
    }

    @Test
    void aKeyIsSetOnlyIfItIsValid() throws SQLException {
        ShardingKey foreign = new ShardingKey() {};
        try (Connection connection = connect(shard(1))) {
            assertThatThrownBy(() -> connection.setShardingKeyIfValid(shard(2), 5))
                    .isInstanceOf(SQLFeatureNotSupportedException.class);
            assertThatThrownBy(() -> connection.setShardingKey(foreign)).isInstanceOf(SQLException.class);
            assertThat(caption(connection)).isEqualTo("of shard 1");
            assertThatThrownBy(() -> connection.setShardingKey(shard(1), shard(2)))
                    .isInstanceOf(SQLFeatureNotSupportedException.class);
            connection.close();
            assertThatThrownBy(() -> connection.setShardingKey(shard(1))).isInstanceOf(SQLException.class);
        }
    }

    @Test
    void aConnectionOfAUserOrWithASuperKeyIsNotSupported() {
        assertThatThrownBy(() ->
                        databases.routed.createConnectionBuilder().user("ada").build())
                .isInstanceOf(SQLFeatureNotSupportedException.class);
        assertThatThrownBy(() -> databases
                        .routed
                        .createConnectionBuilder()
                        .superShardingKey(shard(1))
                        .build())
                .isInstanceOf(SQLFeatureNotSupportedException.class);
    }
}
