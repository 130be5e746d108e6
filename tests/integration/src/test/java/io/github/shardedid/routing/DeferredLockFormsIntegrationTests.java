package io.github.shardedid.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Forms in which a statement takes a lock that a deferred begin must not lose. */
class DeferredLockFormsIntegrationTests {
    private TwoDatabases databases;

    @BeforeEach
    void create() {
        databases = new TwoDatabases();
    }

    @AfterEach
    void close() {
        databases.close();
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
