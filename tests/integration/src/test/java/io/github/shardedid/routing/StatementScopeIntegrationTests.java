package io.github.shardedid.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A statement goes to the scope in which it is executed, or nowhere. */
@Tag("quick")
class StatementScopeIntegrationTests {
    private static final String INSERT = "INSERT INTO sharded_id_shard.photo VALUES (77, 'new')";

    private static TwoDatabases databases;

    @BeforeAll
    static void create() {
        databases = new TwoDatabases();
    }

    @AfterAll
    static void close() {
        databases.close();
    }

    /** What a caller may do with a statement. */
    private interface Use {
        void of(PreparedStatement statement) throws SQLException;
    }

    private static final Map<String, Runner> ELSEWHERE = Map.of(
            "shard 1", work -> in(ShardContext.open(1), work),
            "shard 2", work -> in(ShardContext.open(2), work),
            "the global entities", work -> in(ShardContext.open(Target.global()), work),
            "the shards 0", work -> in(ShardContext.open(ShardSet.of(List.of(0))), work));

    private interface Work {
        void run() throws SQLException;
    }

    private interface Runner {
        void run(Work work) throws SQLException;
    }

    private static void in(ShardContext.Scope scope, Work work) throws SQLException {
        try (scope) {
            work.run();
        }
    }

    @Test
    void aPreparedStatementIsExecutedWhereItWasPrepared() throws SQLException {
        List<Use> uses = List.of(
                PreparedStatement::execute,
                PreparedStatement::executeUpdate,
                PreparedStatement::executeLargeUpdate,
                PreparedStatement::addBatch);
        for (Use use : uses) {
            ELSEWHERE.forEach((name, elsewhere) -> refused(name, elsewhere, use, statement -> {}));
        }
        assertThat(databases.count(0) + databases.count(1) + databases.count(2)).isEqualTo(3);
    }

    @Test
    void aBatchIsExecutedWhereItWasBegun() {
        ELSEWHERE.forEach((name, elsewhere) -> {
            refused(name, elsewhere, PreparedStatement::executeBatch, PreparedStatement::addBatch);
            refused(name, elsewhere, PreparedStatement::executeLargeBatch, PreparedStatement::addBatch);
        });
        assertThat(databases.count(0)).isEqualTo(1);
    }

    private static void refused(String name, Runner elsewhere, Use use, Use before) {
        try (Connection connection = databases.transaction()) {
            PreparedStatement statement;
            try (ShardContext.Scope scope = ShardContext.open(0)) {
                statement = connection.prepareStatement(INSERT);
                before.of(statement);
            }
            assertThatThrownBy(() -> elsewhere.run(() -> use.of(statement)))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContainingAll(
                            "scope of shard 0", "in that of " + name, "INSERT INTO", "Prepare it again");
        } catch (SQLException e) {
            throw new AssertionError(name, e);
        }
    }

    @Test
    void aBatchOfTextsIsExecutedWhereItWasBegun() throws SQLException {
        try (Connection connection = databases.routed.getConnection();
                Statement statement = connection.createStatement()) {
            try (ShardContext.Scope scope = ShardContext.open(0)) {
                statement.addBatch(INSERT);
            }
            try (ShardContext.Scope scope = ShardContext.open(1)) {
                assertThatThrownBy(statement::executeBatch).hasMessageContainingAll("scope of shard 0", "shard 1");
            }
        }
        assertThat(databases.count(0)).isEqualTo(1);
    }

    @Test
    void aQueryOverSeveralShardsIsExecutedForTheSameOnes() throws SQLException {
        ShardSet some = ShardSet.of(List.of(0, 2));
        try (Connection connection = databases.routed.getConnection()) {
            PreparedStatement prepared;
            Statement plain;
            try (ShardContext.Scope scope = ShardContext.open(some)) {
                prepared = connection.prepareStatement("SELECT id FROM sharded_id_shard.photo ORDER BY id");
                plain = connection.createStatement();
            }
            try (ShardContext.Scope other = ShardContext.open(0)) {
                assertThatThrownBy(prepared::executeQuery).hasMessageContaining("scope of the shards 0, 2");
            }
            try (ShardContext.Scope other = ShardContext.open(ShardSet.all())) {
                assertThatThrownBy(prepared::executeQuery).hasMessageContaining("in that of all shards");
            }
            try (ShardContext.Scope one = ShardContext.open(0)) {
                assertThatThrownBy(() -> plain.executeUpdate(INSERT)).hasMessageContainingAll("several", "shard 0");
            }
            try (ShardContext.Scope again = ShardContext.open(ShardSet.of(List.of(2, 0)));
                    ResultSet rows = prepared.executeQuery()) {
                assertThat(rows.next()).isTrue();
            }
        }
        assertThat(databases.count(0)).isEqualTo(1);
    }

    @Test
    void whatItReturnedIsReadAnywhere() throws SQLException {
        try (Connection connection = databases.transaction()) {
            ResultSet rows;
            try (ShardContext.Scope scope = ShardContext.open(0)) {
                PreparedStatement statement = connection.prepareStatement("SELECT caption FROM sharded_id_shard.photo");
                statement.closeOnCompletion();
                rows = statement.executeQuery();
            }
            try (ShardContext.Scope scope = ShardContext.open(2)) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getString(1)).isEqualTo("of shard 0");
                rows.close();
            }
        }
    }
}
