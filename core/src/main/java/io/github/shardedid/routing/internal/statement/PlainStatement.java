package io.github.shardedid.routing.internal.statement;

import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.connection.Route;
import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.internal.statement.PreparedFacade.Preparation;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A statement without SQL of its own: each text that it executes is routed by itself, as a prepared statement
 * would be. So there is one way to route, execute and repeat. Until then, settings are only recorded, since there
 * is no physical statement that could have them.
 *
 * <p>The texts of a batch go to one target: a batch is one call of the driver.
 */
public final class PlainStatement extends StatementFacade {
    private final StatementCreation creation;
    private final Texts texts;
    /** True if it was created in the scope of several shards: then it is executed in such scopes only. */
    private final boolean ofSet = ShardContext.target() instanceof ShardSet;

    private final RecordedCalls settings = new RecordedCalls();
    private final List<String> batch = new ArrayList<>(0);
    /** Where the batch goes; null while there is none. */
    private Target.@Nullable Single batchTarget;
    /** The statement of the last text; null before the first one, and after its transaction has ended. */
    private @Nullable StatementFacade last;

    /** Routes a text, and creates its statement. */
    @FunctionalInterface
    public interface Texts {
        StatementFacade prepare(String sql, Preparation preparation, boolean wantsKeys) throws SQLException;
    }

    public PlainStatement(Connection owner, Router router, StatementCreation creation, Texts texts) {
        super(owner, router);
        this.creation = creation;
        this.texts = texts;
    }

    @Override
    public @Nullable Object call(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        String name = method.getName();
        if (name.equals("executeBatch") || name.equals("executeLargeBatch")) {
            return executeBatch(proxy, method);
        } else if (name.equals("clearBatch")) {
            batch.clear();
        } else if (name.equals("addBatch")) {
            return add(sql(arguments));
        } else if (name.startsWith("execute")) {
            return execute(proxy, method, sql(arguments), arguments, wantsKeys(method, arguments));
        }
        settings.noteAhead(method, arguments);
        StatementFacade current = live();
        return current == null ? unopened(proxy, method, arguments) : current.pass(proxy, method, arguments);
    }

    /** Returns the text that is executed: all methods that have a text have it as their first argument. */
    private static String sql(@Nullable Object @Nullable [] arguments) throws SQLException {
        if (arguments == null || !(arguments[0] instanceof String sql)) {
            throw new SQLException("SQL is needed, not null.");
        }
        return sql;
    }

    /** Returns whether keys are wanted. What the driver would refuse is refused before the last results are closed. */
    private static boolean wantsKeys(Method method, @Nullable Object @Nullable [] arguments) throws SQLException {
        Object keys = arguments == null || arguments.length == 1 ? Statement.NO_GENERATED_KEYS : arguments[1];
        if (keys instanceof Integer option) {
            if (option != Statement.NO_GENERATED_KEYS && option != Statement.RETURN_GENERATED_KEYS) {
                throw new SQLException("Not an option for generated keys: " + option + ".", "22023");
            }
            return option == Statement.RETURN_GENERATED_KEYS;
        }
        boolean numbered = keys instanceof int[] columns
                ? columns.length > 0
                : method.getParameterTypes()[1] == int[].class
                        && method.getName().equals("execute");
        if (numbered) {
            throw new SQLFeatureNotSupportedException("Generated keys are named, not numbered.", "0A000");
        }
        return true;
    }

    private @Nullable Object execute(
            Object proxy, Method method, String sql, @Nullable Object @Nullable [] arguments, boolean wantsKeys)
            throws Throwable {
        if (ofSet && !(ShardContext.target() instanceof ShardSet)) {
            throw router.settings.differs(sql, "several shards");
        }
        StatementFacade next = texts.prepare(sql, this::created, wantsKeys);
        try {
            release();
        } finally {
            last = next; // closed with this statement, even if the last one could not be closed
        }
        if (!(next instanceof PreparedFacade)) {
            settings.repeatOn(next.as(PreparedStatement.class)); // one of several shards is not created by this class
        }
        return next.execute(proxy, method, arguments);
    }

    private Statement created(Connection physical, String sql) throws SQLException {
        Statement statement = creation.on(physical);
        settings.repeatOn(statement);
        return statement;
    }

    private @Nullable Object add(String sql) throws SQLException {
        if (ShardContext.target() instanceof ShardSet) {
            throw new SQLFeatureNotSupportedException(
                    "A batch is not possible over several shards; refused, and not sent, was " + SqlText.brief(sql)
                            + ". Send queries one by one.",
                    "0A000");
        }
        Target.Single target = router.targetInBatch(sql);
        if (!batch.isEmpty() && !target.equals(batchTarget)) {
            throw new SQLException("A batch goes to one shard, here " + batchTarget + "; refused was a statement for "
                    + target + ": " + SqlText.brief(sql) + ". Execute the batch first.");
        }
        batchTarget = target;
        batch.add(sql);
        return null;
    }

    /** Executes the batch, which is routed as one text. */
    private Object executeBatch(Object proxy, Method method) throws Throwable {
        List<String> all = List.copyOf(batch);
        batch.clear();
        if (all.isEmpty()) {
            release();
            return method.getReturnType() == int[].class ? new int[0] : new long[0];
        }
        Target.Single target = router.targetInBatch(all.get(0));
        if (!target.equals(batchTarget)) {
            throw router.settings.differs(all.get(0), String.valueOf(batchTarget));
        }
        return Objects.requireNonNull(execute(proxy, method, String.join("\n;", all), all.toArray(), false));
    }

    /** Returns the statement of the last text, unless its transaction has ended and its connection has gone back. */
    private @Nullable StatementFacade live() throws SQLException {
        Route route = route();
        if (route != null && route.physical().isReleased()) {
            release();
        }
        return last;
    }

    /** Returns the answers of a statement that has executed nothing yet. */
    private @Nullable Object unopened(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        return switch (method.getName()) {
            case "getResultSetType" -> creation.type();
            case "getResultSetConcurrency" -> creation.concurrency();
            case "getResultSetHoldability" ->
                creation.holdability() == null ? ResultSet.CLOSE_CURSORS_AT_COMMIT : creation.holdability();
            case "getFetchDirection" -> settings.get("setFetchDirection", ResultSet.FETCH_FORWARD);
            default -> settings.answer(proxy, method, arguments);
        };
    }

    @Override
    public void release() throws SQLException {
        StatementFacade statement = last;
        last = null;
        if (statement != null) {
            statement.release();
        }
    }

    @Override
    public void cancel() throws SQLException {
        StatementFacade statement = last;
        if (statement != null) {
            statement.cancel();
        }
    }

    @Override
    public @Nullable Statement physical() {
        return last == null ? null : last.physical();
    }

    @Override
    public @Nullable Route route() {
        return last == null ? null : last.route();
    }

    @Override
    public void beforeLargeObject(String call) throws SQLException {
        if (last != null) {
            last.beforeLargeObject(call);
        }
    }
}
