package io.github.shardedid.routing;

import static io.github.shardedid.routing.TwoDatabases.insert;
import static io.github.shardedid.routing.TwoDatabases.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.routing.internal.RoutingControl;
import io.github.shardedid.topology.GlobalDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** The global entities are on pg2, beside shards 2 and 3. */
@ParameterizedClass
@ValueSource(booleans = {true, false})
class GlobalStatementsIntegrationTests {
    private static final String COUNTRY = "SELECT name FROM sharded_id_global.country WHERE code = 'CH'";
    private final RoutingOptions options;
    private final TwoDatabases databases;

    GlobalStatementsIntegrationTests(boolean deferredBegin) {
        options = RoutingOptions.DEFAULT.withDeferredBegin(deferredBegin).withGlobal(GlobalDatabase.on("pg2"));
        databases = new TwoDatabases(options);
    }

    @BeforeEach
    void create() {
        databases.pg2.execute("CREATE SCHEMA sharded_global; CREATE SEQUENCE sharded_global.seq;"
                + " CREATE TABLE sharded_global.country (code text PRIMARY KEY, name text);"
                + " CREATE TABLE sharded_global.photo (id bigint PRIMARY KEY, caption text);"
                + " INSERT INTO sharded_global.country VALUES ('CH', 'Switzerland')");
    }

    @AfterEach
    void nothingLeaks() {
        assertThat(databases.taken()).isZero();
        databases.close();
    }

    private static String readAnywhere(Connection connection, String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet rows = statement.executeQuery()) {
            return rows.next() ? String.valueOf(rows.getString(1)) : "no row";
        }
    }

    private static void writeGlobal(Connection connection, String code) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("INSERT INTO sharded_id_global.country VALUES ('" + code + "', 'new')");
        }
    }

    private long countries() {
        return databases.pg2.queryLong("SELECT count(*) FROM sharded_global.country");
    }

    @Test
    @Tag("quick")
    void aStatementThatNamesTheGlobalSchemaGoesThereInEveryScope() throws SQLException {
        try (Connection connection = databases.transaction()) {
            assertThat(readAnywhere(connection, COUNTRY)).isEqualTo("Switzerland");
            assertThat(read(connection, 0, COUNTRY)).isEqualTo("Switzerland");
            assertThat(read(connection, 3, COUNTRY)).isEqualTo("Switzerland");
            try (ShardContext.Scope scope = ShardContext.open(ShardSet.all())) {
                assertThat(readAnywhere(connection, COUNTRY)).isEqualTo("Switzerland");
            }
            assertThat(read(connection, 0, "SELECT caption FROM sharded_id_shard.photo"))
                    .isEqualTo("of shard 0");
            assertThat(readAnywhere(connection, "SELECT nextval('sharded_id_global.seq')"))
                    .isEqualTo("1");
            connection.commit();
        }
    }

    @Test
    void unqualifiedNamesMeanGlobalTablesInTheGlobalScope() throws SQLException {
        try (Connection connection = databases.transaction();
                ShardContext.Scope scope = ShardContext.open(Target.global())) {
            assertThat(ShardContext.target()).isEqualTo(Target.global());
            assertThat(ShardContext.current()).isEmpty();
            assertThat(readAnywhere(connection, "SELECT name FROM country")).isEqualTo("Switzerland");
            assertThat(read(connection, 2, "SELECT caption FROM photo")).isEqualTo("of shard 2");
            assertThat(readAnywhere(connection, "SELECT count(*) FROM photo")).isEqualTo("0");
            assertThat(connection.getSchema()).isEqualTo("sharded_global");
            assertThat(connection.createArrayOf("text", new Object[] {"CH"}).getArray())
                    .isNotNull();
        }
        assertThat(ShardContext.target()).isNull();
    }

    @Test
    @Tag("quick")
    void theGlobalDatabaseIsOneMoreWriteTargetAlsoOnTheServerOfAShard() throws SQLException {
        for (int shard : new int[] {0, 2}) {
            try (Connection connection = databases.transaction()) {
                insert(connection, shard, 5);
                assertThat(readAnywhere(connection, COUNTRY)).isEqualTo("Switzerland");
                assertThatThrownBy(() -> writeGlobal(connection, "IT"))
                        .isInstanceOf(SecondWriteShardException.class)
                        .hasMessageContaining("shard " + shard)
                        .hasMessageContaining("the global entities (database pg2)");
                connection.rollback();
                writeGlobal(connection, "IT");
                assertThat(read(connection, shard, "SELECT count(*) FROM photo"))
                        .isEqualTo("1");
                assertThatThrownBy(() -> insert(connection, shard, 6)).isInstanceOf(SecondWriteShardException.class);
                connection.rollback();
            }
        }
        assertThat(countries()).isEqualTo(1);
        try (Connection connection = databases.transaction()) {
            connection.unwrap(RoutingControl.class).declareWrite(Target.global(), () -> "a country");
            assertThatThrownBy(() -> insert(connection, 2, 5)).isInstanceOf(SecondWriteShardException.class);
            writeGlobal(connection, "IT");
            connection.commit();
        }
        assertThat(countries()).isEqualTo(2);
        assertThat(databases.count(2)).isEqualTo(1);
    }

    @Test
    @Tag("quick")
    void aWriteHiddenInAShardBesideAGlobalOneRollsBothBack() throws SQLException {
        try (Connection connection = databases.transaction()) {
            writeGlobal(connection, "IT");
            read(connection, 0, "SELECT sharded_id_shard.sneak(7)");
            assertThatThrownBy(connection::commit)
                    .isInstanceOf(SecondWriteShardException.class)
                    .hasMessageContaining("within a statement that looks like a read")
                    .hasMessageContaining("Everything was rolled back");
        }
        assertThat(countries()).isEqualTo(1);
        assertThat(databases.count(0)).isEqualTo(1);
    }

    @Test
    @Tag("quick")
    void aJoinOfTheTwoIsRefusedAndTaught() throws SQLException {
        String join = "SELECT 1 FROM sharded_id_shard.photo JOIN sharded_id_global.country ON true";
        try (Connection connection = databases.transaction()) {
            assertThatThrownBy(() -> read(connection, 2, join))
                    .isInstanceOf(UnsupportedStatementException.class)
                    .hasMessageContaining("join fetch");
            try (ShardContext.Scope scope = ShardContext.open(ShardSet.all())) {
                assertThatThrownBy(() -> readAnywhere(connection, join))
                        .isInstanceOf(UnsupportedStatementException.class);
            }
            try (ShardContext.Scope scope = ShardContext.open(Target.global())) {
                assertThatThrownBy(() -> readAnywhere(connection, "SELECT 1 FROM sharded_id_shard.photo"))
                        .isInstanceOf(NoShardException.class)
                        .hasMessageContaining("in the scope of the global database");
            }
        }
    }

    @Test
    void withoutAGlobalDatabaseSuchStatementsAreRefused() throws SQLException {
        try (Connection connection = databases.routed(RoutingOptions.DEFAULT).getConnection()) {
            assertThatThrownBy(() -> readAnywhere(connection, COUNTRY))
                    .isInstanceOf(NoShardException.class)
                    .hasMessageContaining("RoutingOptions.withGlobal");
            assertThatThrownBy(() ->
                            connection.unwrap(RoutingControl.class).declareWrite(Target.global(), () -> "a country"))
                    .isInstanceOf(NoShardException.class);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> databases.routed(RoutingOptions.DEFAULT.withGlobal(GlobalDatabase.on("pg9"))))
                .withMessageContaining("pg9");
        for (String schema : new String[] {"shard_0005", "Global", "public", "pg_global", "sharded_id", ""}) {
            assertThatIllegalArgumentException().isThrownBy(() -> new GlobalDatabase("pg1", schema));
        }
    }

    @Test
    void aGlobalDatabaseThatIsDownTakesOnlyTheGlobalEntitiesWithIt() throws SQLException {
        try (TwoDatabases halfUp = new TwoDatabases(options);
                Connection connection = halfUp.transaction()) {
            halfUp.tap2.cut();
            assertThat(read(connection, 0, "SELECT caption FROM sharded_id_shard.photo"))
                    .isEqualTo("of shard 0");
            assertThatThrownBy(() -> readAnywhere(connection, COUNTRY))
                    .isInstanceOf(DatabaseUnavailableException.class)
                    .hasMessageContaining("pg2")
                    .hasMessageContaining("global entities");
            connection.rollback();
        }
    }
}
