package io.github.shardedid.routing;

import static io.github.shardedid.routing.TwoDatabases.insert;
import static io.github.shardedid.routing.TwoDatabases.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A transaction id that is there anyway does not hide a write that no text shows. */
@Tag("quick")
class HiddenWriteIntegrationTests {
    private static final String LOCK = "SELECT id FROM sharded_id_shard.photo WHERE id = 1 FOR UPDATE";
    private static final String SNEAK = "SELECT sharded_id_shard.sneak(2)";

    private TwoDatabases databases;

    @BeforeEach
    void create() {
        databases = new TwoDatabases();
    }

    @AfterEach
    void close() {
        databases.close();
    }

    @Test
    void aWriteThatWasRolledBackToASavepointHidesNoLaterOne() throws SQLException {
        try (Connection connection = databases.transaction()) {
            read(connection, 0, LOCK.replace(" FOR UPDATE", ""));
            Savepoint savepoint = connection.setSavepoint();
            insert(connection, 0, 5);
            connection.rollback(savepoint);
            read(connection, 0, SNEAK);
            insert(connection, 2, 5);
            refused(connection);
        }
    }

    @Test
    void neitherDoesOneOfANestedSavepointOrAReleasedOne() throws SQLException {
        try (Connection connection = databases.transaction()) {
            read(connection, 0, LOCK);
            Savepoint outer = connection.setSavepoint();
            Savepoint inner = connection.setSavepoint();
            insert(connection, 0, 5);
            connection.rollback(inner);
            read(connection, 0, SNEAK);
            connection.releaseSavepoint(outer);
            insert(connection, 2, 5);
            refused(connection);
        }
    }

    @Test
    void lockedRowsHideNoWrite() throws SQLException {
        try (Connection connection = databases.transaction()) {
            read(connection, 0, LOCK);
            read(connection, 0, SNEAK);
            insert(connection, 2, 5);
            refused(connection);
        }
        try (Connection connection = databases.transaction()) {
            read(connection, 0, LOCK);
            read(connection, 0, SNEAK);
            read(connection, 2, LOCK);
            read(connection, 2, SNEAK);
            refused(connection);
        }
    }

    private void refused(Connection connection) throws SQLException {
        assertThatThrownBy(connection::commit)
                .isInstanceOf(SecondWriteShardException.class)
                .hasMessageContaining("within a statement that looks like a read")
                .hasMessageContaining("Everything was rolled back");
        assertThat(databases.count(0)).isEqualTo(1);
        assertThat(databases.count(2)).isEqualTo(1);
    }

    @Test
    void whatIsRolledBackOrOnlyLockedIsNoWrite() throws SQLException {
        try (Connection connection = databases.transaction()) {
            read(connection, 0, LOCK);
            Savepoint savepoint = connection.setSavepoint();
            insert(connection, 0, 5);
            connection.rollback(savepoint);
            savepoint = connection.setSavepoint();
            read(connection, 0, SNEAK);
            connection.rollback(savepoint);
            insert(connection, 2, 5);
            connection.commit();
        }
        assertThat(databases.count(0)).isEqualTo(1);
        assertThat(databases.count(2)).isEqualTo(2);
    }
}
