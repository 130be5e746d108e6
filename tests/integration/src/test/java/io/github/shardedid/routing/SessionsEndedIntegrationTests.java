package io.github.shardedid.routing;

import static io.github.shardedid.routing.TwoDatabases.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The server ends the sessions that a pool holds, as when an administrator does or its container is killed. Whatever comes
 * next on such a connection fails, and says of which database: also what the library sends of its own accord.
 */
@Tag("quick")
class SessionsEndedIntegrationTests {
    private static final String SELECT = "SELECT caption FROM sharded_id_shard.photo WHERE id = 1";

    private TwoDatabases databases;

    @BeforeEach
    void start() {
        databases = new TwoDatabases();
    }

    @AfterEach
    void stop() {
        databases.close();
    }

    /** What is done with a connection before its session ends, and what next. */
    enum Next {
        PLAIN_READ {
            @Override
            void next(Connection connection) throws SQLException {
                connection.setAutoCommit(false);
                read(connection, 2, SELECT);
            }
        },
        UNQUALIFIED_NAMES {
            @Override
            void next(Connection connection) throws SQLException {
                read(connection, 3, "SELECT caption FROM photo");
            }
        },
        ISOLATION_LEVEL {
            @Override
            void next(Connection connection) throws SQLException {
                connection.setAutoCommit(false);
                connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
                read(connection, 2, SELECT);
            }
        },
        ISOLATION_LEVEL_IN_AUTOCOMMIT {
            @Override
            void next(Connection connection) throws SQLException {
                connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
                read(connection, 2, SELECT);
            }
        },
        METADATA {
            @Override
            void next(Connection connection) throws SQLException {
                try (ShardContext.Scope scope = ShardContext.open(2);
                        ResultSet tables = connection.getMetaData().getTables(null, null, "photo", null)) {
                    assertThat(tables.next()).isTrue();
                }
            }
        },
        SAVEPOINT {
            @Override
            void before(Connection connection) throws SQLException {
                connection.setAutoCommit(false);
                read(connection, 2, SELECT + " FOR SHARE");
            }

            @Override
            void next(Connection connection) throws SQLException {
                assertThat(connection.setSavepoint()).isNotNull();
            }
        };

        void before(Connection connection) throws SQLException {}

        abstract void next(Connection connection) throws SQLException;
    }

    @ParameterizedTest
    @EnumSource
    void theFailureNamesTheDatabase(Next next) throws SQLException {
        fillPool2();
        try (Connection connection = databases.routed.getConnection()) {
            next.before(connection);
            endSessions();
            fails(() -> next.next(connection));
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
            assertThat(read(connection, 0, SELECT)).isEqualTo("of shard 0");
        }
        assertThat(databases.taken()).isZero();
    }

    @Test
    void aRollbackToASavepointNamesTheDatabaseToo() throws SQLException {
        try (Connection connection = databases.transaction()) {
            read(connection, 2, SELECT + " FOR SHARE");
            Savepoint savepoint = connection.setSavepoint();
            endSessions();
            fails(() -> connection.rollback(savepoint));
            connection.rollback();
        }
        assertThat(databases.taken()).isZero();
    }

    private void endSessions() {
        databases.pg2.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
    }

    /** With a connection that the pool trusts ever after. */
    private void fillPool2() throws SQLException {
        try (Connection connection = databases.pool2.getConnection()) {
            assertThat(connection.isValid(0)).isTrue();
        }
    }

    private static void fails(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfAny(ConnectionLostException.class, DatabaseUnavailableException.class)
                .hasMessageContaining("database pg2")
                .rootCause()
                // The server's last message, or what the driver meets if it writes first.
                .matches(e -> e instanceof IOException
                        || (e instanceof SQLException last && "57P01".equals(last.getSQLState())));
    }
}
