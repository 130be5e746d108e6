package io.github.shardedid.provisioning.internal;

import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.topology.ShardSchema;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Records the statements that Flyway sends while it migrates one shard, those for its history included, so that other shards with
 * the same history get them in a single round trip. A statement that cannot be repeated literally makes the whole recording
 * useless, and Flyway migrates each shard itself.
 */
final class MigrationRecording {
    private static final String HISTORY = "flyway_schema_history";
    private static final Pattern SEARCH_PATH = Pattern.compile("SELECT (pg_catalog\\.)?set_config\\('search_path'");
    private static final Set<String> RUNS = Set.of("execute", "executeUpdate");
    private static final Set<String> HARMLESS = Set.of("executeQuery");
    /** Sent by {@link FunctionBinding}, which each shard needs for itself. */
    private static final String BINDS = "ALTER ROUTINE ";

    private static final Pattern FUNCTION = Pattern.compile("(?i)function|procedure");
    /** Statements that hold for the transaction of one script, while the others run in the same transaction. */
    private static final Pattern OF_TRANSACTION = Pattern.compile(
            "(?is)\\A(?:\\s++|--[^\n]*+\n|/\\*.*?\\*/)*+(?:SET|RESET|BEGIN|START|COMMIT|END|ROLLBACK|ABORT)\\b"
                    + "|set_config|\\bSET\\s+LOCAL\\b|\\bON\\s+COMMIT\\b");

    /** A function may change them, too. */
    private static final String SETTINGS = "SELECT md5(string_agg(name || setting, ',' ORDER BY name)) FROM pg_settings"
            + " WHERE source = 'session' AND name <> 'search_path'";

    private static final String OF_ONE_SCRIPT =
            "a script that changes settings, ends its transaction, or has temporary tables of it";
    private static final Pattern QUESTION_MARK = Pattern.compile("\\?");
    private static final int TYPE = 4;

    private final Connection connection;
    private final String schema;
    private final @Nullable String settings;
    private final List<String> statements = new ArrayList<>();
    private @Nullable String obstacle;

    MigrationRecording(Connection connection, int shard) throws SQLException {
        this.settings = Sql.text(connection, SETTINGS);
        this.connection = connection;
        this.schema = ShardSchema.nameOf(shard);
    }

    /** The connection to be lent to Flyway. */
    Connection recorded() {
        return proxy(Connection.class, connection, (method, arguments, result) -> {
            String name = method.getName();
            if (name.equals("unwrap") || name.equals("prepareCall")) {
                obstacle = "a script needs more than statements";
            } else if (result instanceof PreparedStatement prepared) {
                return prepared(prepared, String.valueOf(arguments[0]));
            } else if (result instanceof Statement statement) {
                return plain(statement);
            }
            return result;
        });
    }

    /** Why the statements cannot be sent to other shards, or null. */
    @Nullable
    String obstacle() {
        return obstacle;
    }

    /** Returns whether functions may need a search path of their own. */
    boolean createsFunctions() {
        return statements.stream().anyMatch(sql -> FUNCTION.matcher(sql).find());
    }

    /** The statements for another shard; empty if there were none. */
    String sqlFor(int shard) {
        String other = ShardSchema.nameOf(shard);
        return statements.stream()
                .map(statement -> statement.replace(schema, other))
                .collect(Collectors.joining("\n;\n"));
    }

    private Statement plain(Statement statement) {
        return proxy(Statement.class, statement, (method, arguments, result) -> {
            if (method.getName().startsWith("execute")) {
                String sql = arguments.length == 0 ? "" : String.valueOf(arguments[0]);
                if (!connection.getAutoCommit() && OF_TRANSACTION.matcher(sql).find()) {
                    obstacle = OF_ONE_SCRIPT;
                }
                ran(method, sql);
            }
            return result;
        });
    }

    private PreparedStatement prepared(PreparedStatement statement, String sql) {
        Map<Integer, @Nullable Object> values = new TreeMap<>();
        return proxy(PreparedStatement.class, statement, (method, arguments, result) -> {
            String name = method.getName();
            if (name.equals("setNull")) {
                values.put((Integer) arguments[0], null);
            } else if (name.startsWith("set") && arguments.length >= 2 && arguments[0] instanceof Integer index) {
                values.put(index, arguments[1]);
            } else if (name.startsWith("execute")) {
                checkRow(sql, values);
                ran(method, HARMLESS.contains(name) ? sql : filled(sql, values));
            }
            return result;
        });
    }

    /** Refuses to repeat what a Java migration does, which is not known, and the name of a script is replaced nowhere. */
    private void checkRow(String sql, Map<Integer, @Nullable Object> values) throws SQLException {
        Object type = values.get(TYPE);
        if (!sql.startsWith("INSERT") || !sql.contains(HISTORY)) {
            return;
        } else if (!"SQL".equals(type) && !"BASELINE".equals(type)) {
            obstacle = "a migration of type " + type;
        } else if (values.values().stream()
                .anyMatch(value -> String.valueOf(value).contains(schema))) {
            obstacle = "a script whose name names its schema";
        } else if (!Objects.equals(settings, Sql.text(connection, SETTINGS))) {
            obstacle = OF_ONE_SCRIPT;
        }
    }

    private void ran(Method method, String sql) throws SQLException {
        if (HARMLESS.contains(method.getName())) {
            return;
        }
        boolean transaction = !connection.getAutoCommit();
        boolean own = sql.contains('"' + schema + "\".\"" + HISTORY + '"')
                || SEARCH_PATH.matcher(sql).lookingAt();
        if (!RUNS.contains(method.getName())) {
            obstacle = "a statement sent by " + method.getName();
        } else if (transaction && !own && sql.contains(schema)) {
            obstacle = "a script that names its schema";
        } else if (transaction) {
            statements.add(sql);
        } else if (!sql.startsWith("SET ROLE")
                && !SEARCH_PATH.matcher(sql).lookingAt()
                && !sql.startsWith(BINDS + schema + '.')) {
            obstacle = "a script outside of a transaction";
        }
    }

    private String filled(String sql, Map<Integer, @Nullable Object> values) {
        int[] next = {0};
        return QUESTION_MARK.matcher(sql).replaceAll(found -> Matcher.quoteReplacement(literal(values.get(++next[0]))));
    }

    private String literal(@Nullable Object value) {
        if (value == null) {
            return "NULL";
        }
        if (!(value instanceof Number || value instanceof Boolean || value instanceof String)) {
            obstacle = "a value of " + value.getClass();
        }
        return value instanceof String text ? "'" + text.replace("'", "''") + "'" : value.toString();
    }

    private interface Seen {
        @Nullable
        Object after(Method method, Object[] arguments, @Nullable Object result) throws SQLException;
    }

    private static <T> T proxy(Class<T> type, T real, Seen seen) {
        return JdbcProxies.of(type, (proxy, method, given) -> {
            Object[] arguments = given == null ? new Object[0] : given;
            return seen.after(method, arguments, JdbcProxies.proceed(real, method, arguments));
        });
    }
}
