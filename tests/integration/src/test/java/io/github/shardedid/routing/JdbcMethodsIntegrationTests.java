package io.github.shardedid.routing;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Each method of JDBC's objects in several states, with usual and with odd arguments, beside the driver's own connection to one database
 * with the shard's schema in its search path: the same result, or the same SQLState. A {@code NullPointerException} of the driver says
 * nothing.
 */
@Tag("slow")
class JdbcMethodsIntegrationTests {
    private static final String ROWS = "SELECT id, caption FROM photo WHERE id > ?";

    /** They are about the shard, or about one database. */
    private static final Set<String> OF_ROUTING = Set.of(
            "getCatalog",
            "setSchema",
            "setShardingKey",
            "setShardingKeyIfValid",
            "getClientInfo",
            "setClientInfo",
            "getURL",
            "setReadOnly",
            "setHoldability",
            "setNetworkTimeout",
            "getGeneratedKeys");

    private TwoDatabases databases;
    private Connection plain;

    @BeforeEach
    void create() throws SQLException {
        databases = new TwoDatabases();
        databases.pg1.execute("CREATE FUNCTION shard_0000.twice(n int) RETURNS int LANGUAGE sql AS 'SELECT 2 * n'");
        plain = connectPlainly();
    }

    @AfterEach
    void nothingLeaks() throws SQLException {
        plain.close();
        assertThat(databases.taken()).isZero();
        databases.close();
    }

    private Connection connectPlainly() throws SQLException {
        Connection connection = databases.pg1.connect();
        connection.setSchema("shard_0000");
        return connection;
    }

    private interface Making {
        Object on(Connection connection) throws SQLException;
    }

    private static Map<String, Making> objects() {
        Map<String, Making> objects = new LinkedHashMap<>();
        objects.put("connection", connection -> connection);
        objects.put("connection in a transaction", connection -> {
            connection.setAutoCommit(false);
            connection.createStatement().executeQuery("SELECT 1 FROM photo FOR UPDATE");
            return connection;
        });
        objects.put("closed connection", connection -> {
            connection.close();
            return connection;
        });
        objects.put("statement", Connection::createStatement);
        objects.put("executed statement", connection -> {
            Statement statement = connection.createStatement();
            statement.execute("SELECT 1; UPDATE photo SET id = id; SELECT 2");
            return statement;
        });
        objects.put("scrolled statement", connection -> {
            Statement statement = connection.createStatement(1004, 1007);
            statement.addBatch("UPDATE photo SET id = id");
            return statement;
        });
        objects.put("closed statement", connection -> {
            Statement statement = connection.createStatement();
            statement.close();
            return statement;
        });
        objects.put("prepared statement", connection -> connection.prepareStatement(ROWS));
        objects.put("executed prepared statement", connection -> {
            PreparedStatement statement = connection.prepareStatement(ROWS);
            statement.setLong(1, 0);
            statement.executeQuery();
            return statement;
        });
        objects.put("closed prepared statement", connection -> {
            PreparedStatement statement = connection.prepareStatement(ROWS);
            statement.close();
            return statement;
        });
        objects.put("call", connection -> {
            CallableStatement call = connection.prepareCall("{? = call twice(?)}");
            call.registerOutParameter(1, java.sql.Types.INTEGER);
            call.setInt(2, 4);
            call.execute();
            return call;
        });
        objects.put("metadata", Connection::getMetaData);
        objects.put("result", connection -> {
            ResultSet rows = connection.createStatement().executeQuery("SELECT id, caption FROM photo");
            rows.next();
            return rows;
        });
        objects.put("closed result", connection -> {
            ResultSet rows = connection.createStatement().executeQuery("SELECT id, caption FROM photo");
            rows.close();
            return rows;
        });
        return objects;
    }

    private static Object[] values(Class<?> type) {
        if (type == int.class) {
            return new Object[] {1, 0, -1, 3, 1004, 9999};
        } else if (type == long.class) {
            return new Object[] {1L, -1L};
        } else if (type == short.class || type == byte.class || type == float.class || type == double.class) {
            return new Object[] {number(type)};
        } else if (type == boolean.class) {
            return new Object[] {true, false};
        } else if (type == String.class) {
            return new Object[] {
                "photo", "", "id", "SELECT 1 FROM photo", "UPDATE photo SET id = id", "shard_0000", "nonsense"
            };
        } else if (type == int[].class) {
            return new Object[] {new int[] {1}, null, new int[0]};
        } else if (type == String[].class) {
            return new Object[] {new String[] {"id"}, null, new String[0]};
        } else if (type == Executor.class) {
            return new Object[] {null, (Executor) Runnable::run};
        } else if (type == Map.class) {
            return new Object[] {Map.of(), null};
        } else if (type == Class.class) {
            return new Object[] {String.class, Long.class};
        }
        return type == Object.class ? new Object[] {"x", null, 1L} : new Object[] {null};
    }

    private static Object number(Class<?> type) {
        return type == short.class
                ? (Object) (short) 1
                : type == byte.class ? (byte) 1 : type == float.class ? 1f : (Object) 1d;
    }

    /** The first of each, then each other in its place. The first two arguments of questions about tables are the database and the schema. */
    private static List<Object[]> arguments(Method method) {
        Class<?>[] types = method.getParameterTypes();
        Object[] usual = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            usual[i] = values(types[i])[0];
        }
        boolean ofTables = method.getDeclaringClass() == DatabaseMetaData.class && types.length > 2;
        if (ofTables) {
            usual[0] = null;
            usual[1] = "shard_0000";
        }
        List<Object[]> all = new ArrayList<>(List.<Object[]>of(usual));
        for (int i = ofTables ? 1 : 0; i < types.length; i++) {
            for (Object value : values(types[i])) {
                Object[] other = usual.clone();
                other[i] = value;
                all.add(other);
            }
        }
        return all;
    }

    @Test
    void eachMethodAnswersAsTheDrivers() throws SQLException {
        List<String> differences = new ArrayList<>();
        for (Map.Entry<String, Making> each : objects().entrySet()) {
            for (Method method : typeOf(each.getValue()).getMethods()) {
                if (Modifier.isStatic(method.getModifiers()) || OF_ROUTING.contains(method.getName())) {
                    continue;
                }
                for (Object[] arguments : arguments(method)) {
                    String expected = onPlain(each.getValue(), method, arguments);
                    String answer = onRouted(each.getValue(), method, arguments);
                    if (!answer.equals(expected) && !isAccepted(each.getKey(), expected, answer)) {
                        differences.add(each.getKey() + "." + method.getName() + Arrays.deepToString(arguments) + ": "
                                + expected + " | " + answer);
                    }
                }
            }
        }
        assertThat(differences).isEmpty();
    }

    /**
     * What is closed answers nothing, where the driver answers what it happens to know. A prepared statement takes no other text, which the
     * driver executes if there is a further argument.
     */
    private static boolean isAccepted(String object, String expected, String answer) {
        return expected.startsWith("NullPointerException")
                || ((object.endsWith("prepared statement") || object.equals("call"))
                        && answer.startsWith("SQLState 42809"))
                || (object.startsWith("closed") && answer.matches("SQLState (08003|55000) .*"));
    }

    private Class<?> typeOf(Making making) throws SQLException {
        try (Connection connection = connectPlainly()) {
            Object object = making.on(connection);
            for (Class<?> type : List.of(
                    CallableStatement.class,
                    PreparedStatement.class,
                    Statement.class,
                    Connection.class,
                    DatabaseMetaData.class)) {
                if (type.isInstance(object)) {
                    return type;
                }
            }
            return ResultSet.class;
        }
    }

    private String onPlain(Making making, Method method, Object[] arguments) throws SQLException {
        String answer = answer(plain, making, method, arguments);
        if (method.getDeclaringClass() == Connection.class || plain.isClosed()) {
            plain.close();
            plain = connectPlainly();
        } else if (!plain.getAutoCommit()) {
            plain.rollback();
            plain.setAutoCommit(true);
        }
        return answer;
    }

    private String onRouted(Making making, Method method, Object[] arguments) throws SQLException {
        try (Connection routed = databases.routed.getConnection();
                ShardContext.Scope scope = ShardContext.open(0)) {
            return answer(routed, making, method, arguments);
        }
    }

    private static String answer(Connection connection, Making making, Method method, Object[] arguments)
            throws SQLException {
        Object object = making.on(connection);
        String answer;
        try {
            answer = shown(method.invoke(object, arguments));
        } catch (InvocationTargetException e) {
            Throwable cause = Objects.requireNonNull(e.getCause());
            answer = cause instanceof SQLException failure
                    ? "SQLState " + failure.getSQLState()
                    : cause.getClass().getSimpleName();
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
        return answer + " " + state(object);
    }

    private static String state(Object object) throws SQLException {
        if (object instanceof Connection connection) {
            return connection.isClosed() + (connection.isClosed() ? "" : " " + connection.getAutoCommit());
        } else if (object instanceof Statement statement) {
            return statement.isClosed()
                    ? "closed"
                    : statement.getUpdateCount() + " " + (statement.getResultSet() != null);
        }
        return object instanceof ResultSet rows ? Boolean.toString(rows.isClosed()) : "";
    }

    private static String shown(Object answer) throws SQLException {
        if (answer instanceof ResultSet rows) {
            return rows.isClosed() ? "closed rows" : rows(rows);
        } else if (answer instanceof Object[] array) {
            return Arrays.toString(array);
        } else if (answer instanceof int[] array) {
            return Arrays.toString(array);
        } else if (answer instanceof long[] array) {
            return Arrays.toString(array);
        } else if (answer == null || answer.getClass().getName().matches("java.(lang|math|sql|util).*")) {
            return String.valueOf(answer);
        }
        return "an object";
    }

    private static String rows(ResultSet rows) throws SQLException {
        ResultSetMetaData columns = rows.getMetaData();
        StringBuilder all = new StringBuilder();
        while (rows.next() && all.length() < 2_000) {
            for (int i = 1; i <= columns.getColumnCount(); i++) {
                all.append(rows.getString(i)).append(i == columns.getColumnCount() ? "\n" : "|");
            }
        }
        return all.toString();
    }
}
