package io.github.shardedid.routing.internal.scatter;

import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.internal.connection.Route;
import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import io.github.shardedid.routing.internal.sql.query.ScatterRefusal;
import io.github.shardedid.routing.internal.statement.DriverCall;
import io.github.shardedid.routing.internal.statement.Router;
import io.github.shardedid.routing.internal.statement.StatementFacade;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A statement without SQL of its own that was made for several shards: each query that it executes is prepared. */
public final class PlainScatterStatement extends StatementFacade {
    private final Connection owner;
    private final Map<String, Setting> settings = new LinkedHashMap<>(2);
    private @Nullable PreparedStatement prepared;

    public PlainScatterStatement(Connection owner, Router router) {
        super(owner, router);
        this.owner = owner;
    }

    /** A setter of a statement has one argument. */
    private record Setting(Method method, @Nullable Object value) {}

    @Override
    public @Nullable Object call(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        String name = method.getName();
        if (name.equals("addBatch") || (name.startsWith("execute") && !(first(arguments) instanceof String))) {
            throw ScatterRefusal.of("A batch", new SqlText(""), "Send queries one by one.");
        }
        if (first(arguments) instanceof String sql && name.startsWith("execute")) {
            return execute(method, sql);
        }
        if (name.startsWith("set") && arguments != null) {
            settings.put(name, new Setting(method, arguments[0]));
        }
        PreparedStatement statement = prepared;
        if (statement != null) {
            return DriverCall.forward(statement, method, arguments);
        }
        return method.isDefault() ? InvocationHandler.invokeDefault(proxy, method, arguments) : unopened(method);
    }

    private static @Nullable Object first(@Nullable Object @Nullable [] arguments) {
        return arguments == null || arguments.length == 0 ? null : arguments[0];
    }

    private @Nullable Object execute(Method method, String sql) throws Throwable {
        release();
        if (!(ShardContext.target() instanceof ShardSet)) {
            throw router.rules().outsideSet(sql);
        }
        PreparedStatement statement = owner.prepareStatement(sql);
        prepared = statement;
        for (Setting setting : settings.values()) {
            DriverCall.forward(statement, setting.method, new @Nullable Object[] {setting.value});
        }
        return switch (method.getName()) {
            case "executeQuery" -> statement.executeQuery();
            case "execute" -> statement.execute();
            // Of the global database: one of the shards' was refused when it was prepared.
            case "executeUpdate" -> statement.executeUpdate();
            default -> statement.executeLargeUpdate();
        };
    }

    private @Nullable Object unopened(Method method) {
        Setting setting = settings.get("set" + method.getName().replaceFirst("^(get|is)", ""));
        return setting == null ? zero(method) : setting.value;
    }

    private static @Nullable Object zero(Method method) {
        Class<?> type = method.getReturnType();
        int none = method.getName().endsWith("UpdateCount") ? -1 : 0;
        if (type == int.class) {
            return none;
        } else if (type == long.class) {
            return (long) none;
        }
        return type == boolean.class ? false : null;
    }

    @Override
    public void release() throws SQLException {
        PreparedStatement statement = prepared;
        prepared = null;
        if (statement != null) {
            statement.close();
        }
    }

    @Override
    public @Nullable Statement physical() {
        return prepared;
    }

    /** Its statements have many targets, and belong to no transaction. */
    @Override
    public @Nullable Route route() {
        return null;
    }
}
