package io.github.shardedid.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Forms in which a statement leaves something in a pooled session, or takes a lock that a deferred begin must not lose. */
class SessionStateFormsIntegrationTests {
    private TwoDatabases databases;

    @BeforeEach
    void create() {
        databases = new TwoDatabases();
    }

    @AfterEach
    void close() {
        databases.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "update only (pg_settings) set setting = '5MB' where name = 'work_mem'",
                "update only (pg_settings) set setting = 'on' where name = 'default_transaction_read_only'",
                "update only (pg_catalog.pg_settings) set setting = 'off' where name = 'row_security'",
                "select (1::bigint).pg_advisory_lock",
                "select (p.id).pg_try_advisory_lock from sharded_id_shard.photo p",
                "select (1::bigint).u&\"pg\\005fadvisory_lock\"",
                "select setseed(0.5)",
                "set local seed = 0.5",
                "select g.pg_advisory_lock_shared from generate_series(5::bigint, 5) g",
                "create temp view t as select commit drop from (select 1 as commit) x",
                "create temp table t as select commit drop from (select 1 as commit) x",
                "select 1 as insert into temp t",
                "select 1 as merge into pg_temp.t",
            })
    void whatWouldStayInTheSessionIsRefused(String sql) throws SQLException {
        try (Connection connection = databases.routed.getConnection();
                ShardContext.Scope scope = ShardContext.open(0);
                Statement statement = connection.createStatement()) {
            assertThatThrownBy(() -> statement.execute(sql))
                    .isInstanceOf(SQLFeatureNotSupportedException.class)
                    .hasMessageContaining("not sent");
        }
    }

    /** The query orders by a column that is named {@code as}. */
    @Test
    void aRowLockBehindAColumnNamedAsIsKept() throws SQLException {
        kept(
                "select p.id from sharded_id_shard.photo p cross join (select 1 as \"as\") x order by x.as for share of p",
                "select 1 from shard_0000.photo where id = 1 for update nowait");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select (77::bigint).pg_advisory_xact_lock",
                "select g.pg_advisory_xact_lock from unnest(array[77::bigint]) g"
            })
    void anAdvisoryLockOfTheTransactionIsKept(String sql) throws SQLException {
        kept(sql, "select 1 / pg_try_advisory_xact_lock(77)::int");
    }

    /** Another session cannot take the lock before the transaction ends. */
    private void kept(String lock, String other) throws SQLException {
        try (Connection connection = databases.transaction()) {
            TwoDatabases.read(connection, 0, lock);
            assertThatThrownBy(() -> databases.pg1.query(other)).as(lock).isNotNull();
            connection.rollback();
        }
        assertThat(databases.pg1.query(other)).isNotEmpty();
    }
}
