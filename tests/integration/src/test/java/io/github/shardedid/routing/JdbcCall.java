package io.github.shardedid.routing;

import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Types;
import java.util.List;

/** Calls for the shard of the current scope, of all kinds that JDBC knows, and what comes of them. */
enum JdbcCall {
    ARRAY("first") {
        @Override
        Object run(Connection connection) throws SQLException {
            try (PreparedStatement select = connection.prepareStatement(LOCKED + "= ANY (?) FOR SHARE")) {
                select.setArray(1, connection.createArrayOf("bigint", new Object[] {1L, -1L}));
                return first(select);
            }
        }
    },
    XML("<made/>") {
        @Override
        Object run(Connection connection) throws SQLException {
            SQLXML xml = connection.createSQLXML();
            xml.setString("<made/>");
            return xml.getString();
        }
    },
    METADATA("PostgreSQL caption") {
        @Override
        Object run(Connection connection) throws SQLException {
            try (PreparedStatement select = connection.prepareStatement(LOCKED + "= 1 FOR SHARE")) {
                return connection.getMetaData().getDatabaseProductName() + " "
                        + select.getMetaData().getColumnName(1);
            }
        }
    },
    OUT_PARAMETER("first") {
        @Override
        Object run(Connection connection) throws SQLException {
            try (CallableStatement call = connection.prepareCall("{? = call sharded_id_shard.caption_of(?)}")) {
                call.registerOutParameter(1, Types.VARCHAR);
                call.setLong(2, 1);
                call.execute();
                return call.getString(1);
            }
        }
    },
    KEYS("a key") {
        @Override
        Object run(Connection connection) throws SQLException {
            try (PreparedStatement insert = connection.prepareStatement(INSERT + "('key')", new String[] {"id"})) {
                insert.executeUpdate();
                return key(insert);
            }
        }
    },
    KEYS_OF_PLAIN("a key") {
        @Override
        Object run(Connection connection) throws SQLException {
            try (Statement insert = connection.createStatement()) {
                insert.executeUpdate(INSERT + "('new')", Statement.RETURN_GENERATED_KEYS);
                return key(insert);
            }
        }
    },
    SAVEPOINT("first") {
        @Override
        Object run(Connection connection) throws SQLException {
            Savepoint savepoint = connection.setSavepoint("before");
            try (PreparedStatement select = connection.prepareStatement(LOCKED + "= 1 FOR SHARE")) {
                String caption = first(select);
                connection.rollback(savepoint);
                return caption;
            }
        }
    },
    READ_ONLY("first") {
        @Override
        void configure(Connection connection) throws SQLException {
            connection.setReadOnly(true);
        }

        @Override
        Object run(Connection connection) throws SQLException {
            return read(connection);
        }
    },
    SCHEMA_AND_CATALOG("first") {
        @Override
        void configure(Connection connection) throws SQLException {
            connection.setSchema("shard_0000");
            connection.setCatalog("any");
        }

        @Override
        Object run(Connection connection) throws SQLException {
            return read(connection);
        }
    },
    ISOLATION("first serializable") {
        @Override
        void configure(Connection connection) throws SQLException {
            connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        }

        @Override
        Object run(Connection connection) throws SQLException {
            try (PreparedStatement level =
                    connection.prepareStatement("SELECT current_setting('transaction_isolation')")) {
                return read(connection) + " " + first(level);
            }
        }
    },
    FETCH_SIZE("first") {
        @Override
        Object run(Connection connection) throws SQLException {
            try (PreparedStatement select = connection.prepareStatement(LOCKED + "= 1")) {
                select.setFetchSize(1);
                return first(select);
            }
        }
    };

    /** Those that are inside the transaction, and need nothing that is set before. */
    static final List<JdbcCall> LATER = List.of(ARRAY, OUT_PARAMETER, KEYS, KEYS_OF_PLAIN, SAVEPOINT, FETCH_SIZE);

    private static final String LOCKED = "SELECT caption FROM sharded_id_shard.photo WHERE id ";
    private static final String INSERT = "INSERT INTO sharded_id_shard.photo (caption) VALUES ";

    private final String expected;

    JdbcCall(String expected) {
        this.expected = expected;
    }

    String expected() {
        return expected;
    }

    /** Before the transaction. */
    void configure(Connection connection) throws SQLException {
        // nothing
    }

    abstract Object run(Connection connection) throws SQLException;

    private static String read(Connection connection) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(LOCKED + "= 1")) {
            return first(select);
        }
    }

    static String first(PreparedStatement select) throws SQLException {
        try (ResultSet rows = select.executeQuery()) {
            return rows.next() ? rows.getString(1) : "no row";
        }
    }

    private static String key(Statement insert) throws SQLException {
        try (ResultSet keys = insert.getGeneratedKeys()) {
            return keys.next() && keys.getLong(1) > 0 ? "a key" : "none";
        }
    }
}
