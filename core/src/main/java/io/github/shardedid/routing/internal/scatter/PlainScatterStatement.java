package io.github.shardedid.routing.internal.scatter;

import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.internal.sql.grammar.ScatterRefusal;
import io.github.shardedid.routing.internal.statement.PlainSettings;
import io.github.shardedid.routing.internal.statement.Router;
import io.github.shardedid.routing.internal.statement.StatementFacade;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * A statement without SQL of its own that was made for several shards: each query that it executes is prepared.
 * So there is one way to read queries over several shards.
 */
public final class PlainScatterStatement extends StatementFacade {
    private final Connection owner;
    private final PlainSettings settings = new PlainSettings();
    /** The last query; null before the first one. */
    private @Nullable PreparedStatement prepared;

    public PlainScatterStatement(Connection owner, Router router) {
        super(owner, router);
        this.owner = owner;
    }

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
        settings.note(method, arguments);
        return prepared == null ? settings.answer(proxy, method, arguments) : forward(method, arguments);
    }

    private static @Nullable Object first(@Nullable Object @Nullable [] arguments) {
        return arguments == null || arguments.length == 0 ? null : arguments[0];
    }

    /** Executes a text. The scope must still be one of several shards. */
    private @Nullable Object execute(Method method, String sql) throws Throwable {
        release();
        if (!(ShardContext.target() instanceof ShardSet)) {
            throw router.rules().outsideSet(sql);
        }
        PreparedStatement statement = owner.prepareStatement(sql);
        prepared = statement;
        settings.applyTo(statement);
        return switch (method.getName()) {
            case "executeQuery" -> statement.executeQuery();
            case "execute" -> statement.execute();
            // Of the global database: one of the shards' was refused when it was prepared.
            case "executeUpdate" -> statement.executeUpdate();
            default -> statement.executeLargeUpdate();
        };
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
}
