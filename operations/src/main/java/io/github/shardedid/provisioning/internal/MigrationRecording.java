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
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Records the statements that Flyway sends while it migrates one shard, so that other shards with the same history get them, and the new
 * rows of its history, in a single round trip. A statement that cannot be repeated literally makes the whole recording useless, and
 * Flyway migrates each shard itself. Scripts are sent by plain statements: those that Flyway prepares are its own.
 */
final class MigrationRecording {
    private static final String HISTORY = "flyway_schema_history";
    private static final Set<String> RUNS = Set.of("execute", "executeUpdate");

    /** Sent outside of a transaction by this library: the search path, and by {@link FunctionBinding}, which each shard needs for itself. */
    private static final Pattern OWN =
            Pattern.compile("SELECT pg_catalog\\.set_config\\('search_path'|ALTER ROUTINE shard_");

    private static final Pattern FUNCTION = Pattern.compile("(?i)function|procedure");
    /** Statements that hold for the transaction of one script, while the others run in the same transaction. */
    private static final Pattern OF_TRANSACTION = Pattern.compile(
            "(?is)\\A(?:\\s++|--[^\n]*+\n|/\\*.*?\\*/)*+(?:SET|RESET|BEGIN|START|COMMIT|END|ROLLBACK|ABORT)\\b"
                    + "|set_config|\\bSET\\s+LOCAL\\b|\\bON\\s+COMMIT\\b");

    /** A function may change them, too. */
    private static final String SETTINGS = Sql.load(MigrationRecording.class, "session_settings.sql");

    private static final String OF_ONE_SCRIPT =
            "a script that changes settings, ends its transaction, or has temporary tables of it";
    /** Of a Java migration it is not known what it does, and the name of a script is replaced nowhere. */
    private static final String UNREPEATABLE = Sql.load(MigrationRecording.class, "unrepeatable_scripts.sql");

    /** As Flyway sets it before each script. */
    private static final String PATH = Sql.load(MigrationRecording.class, "script_path.sql");

    private static final String ROWS = Sql.load(MigrationRecording.class, "repeat_history.sql");

    private final Connection connection;
    private final String schema;
    private final @Nullable String settings;
    private final List<String> statements = new ArrayList<>();
    private @Nullable String obstacle;

    MigrationRecording(Connection connection, int shard) throws SQLException {
        this.connection = connection;
        this.settings = settings();
        this.schema = ShardSchema.nameOf(shard);
    }

    /** The connection to be lent to Flyway. */
    Connection recorded() {
        return proxy(Connection.class, connection, (method, arguments, result) -> {
            String name = method.getName();
            if (name.equals("unwrap") || name.equals("prepareCall")) {
                obstacle = "a script needs more than statements";
            } else if (result instanceof PreparedStatement) {
                String sql = String.valueOf(arguments[0]);
                if (sql.startsWith("INSERT") && sql.contains(HISTORY) && !Objects.equals(settings, settings())) {
                    obstacle = OF_ONE_SCRIPT;
                }
            } else if (result instanceof Statement statement) {
                return plain(statement);
            }
            return result;
        });
    }

    private @Nullable String settings() throws SQLException {
        return Sql.text(connection, SETTINGS);
    }

    /** Returns why the statements cannot be sent to other shards, or null. */
    @Nullable
    String obstacle() throws SQLException {
        return obstacle == null && Sql.is(connection, UNREPEATABLE.formatted(schema))
                ? "a Java migration, or a script whose name names its schema"
                : obstacle;
    }

    /** Returns whether functions may need a search path of their own. */
    boolean createsFunctions() {
        return statements.stream().anyMatch(sql -> FUNCTION.matcher(sql).find());
    }

    /** Returns the statements for another shard. */
    String sqlFor(int shard) {
        String other = ShardSchema.nameOf(shard);
        return PATH.formatted(other) + ";\n"
                + statements.stream()
                        .map(statement -> statement.replace(schema, other) + "\n;\n")
                        .collect(Collectors.joining())
                + ROWS.formatted(schema, other);
    }

    private Statement plain(Statement statement) {
        return proxy(Statement.class, statement, (method, arguments, result) -> {
            if (method.getName().startsWith("execute")) {
                String sql = arguments.length == 0 ? "" : String.valueOf(arguments[0]);
                if (!connection.getAutoCommit() && OF_TRANSACTION.matcher(sql).find()) {
                    obstacle = OF_ONE_SCRIPT;
                }
                ran(method.getName(), sql);
            }
            return result;
        });
    }

    private void ran(String method, String sql) throws SQLException {
        if (method.equals("executeQuery")) {
            return;
        } else if (!RUNS.contains(method)) {
            obstacle = "a statement sent by " + method;
        } else if (connection.getAutoCommit()) {
            obstacle = OWN.matcher(sql).lookingAt() ? obstacle : "a script outside of a transaction";
        } else if (sql.contains(schema) && !sql.contains('"' + schema + "\".\"" + HISTORY + '"')) {
            obstacle = "a script that names its schema";
        } else {
            statements.add(sql);
        }
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
