package io.github.shardedid.routing.internal.statement;

import io.github.shardedid.routing.internal.connection.Route;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * A prepared or callable statement whose shard was on its way when it was prepared. What it is set to is noted; only when it is
 * executed, or asked for something, its shard is waited for, for by then its timeout is known.
 */
public final class WaitingFacade extends StatementFacade {
    private final Route decided;
    private final Opening opening;
    private final Class<? extends PreparedStatement> type;
    private final RecordedCalls calls = new RecordedCalls();
    private long timeout = Relocations.NO_TIMEOUT;
    private @Nullable PreparedFacade opened;

    public WaitingFacade(
            Connection owner, Router router, Route route, Opening opening, Class<? extends PreparedStatement> type) {
        super(owner, router);
        this.decided = route;
        this.opening = opening;
        this.type = type;
    }

    /** Waits for the shard, and prepares the statement there. */
    @FunctionalInterface
    public interface Opening {
        PreparedFacade within(long timeout) throws SQLException;
    }

    @Override
    public @Nullable Object call(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (opened == null && method.getName().equals("cancel")) {
            return null;
        } else if (opened == null && RecordedCalls.isSetting(method) && calls.hasRoom()) {
            if (method.getName().equals("addBatch")) {
                router.rules().requireScope(decided);
            } else if (method.getName().equals(SET_TIMEOUT) && arguments != null) {
                timeout = nanos(arguments[0]);
            }
            calls.note(method, arguments);
            return null;
        }
        return opened().call(proxy, method, arguments);
    }

    private PreparedFacade opened() throws Throwable {
        PreparedFacade statement = opened;
        if (statement == null) {
            statement = opening.within(timeout);
            opened = statement;
            calls.repeatOn(statement.as(type));
        }
        return statement;
    }

    @Override
    public Object unwrap(Object proxy, Object type) throws Throwable {
        return type instanceof Class<?> own && own.isInstance(proxy) ? proxy : opened().unwrap(proxy, type);
    }

    @Override
    public @Nullable Object forward(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        return opened().forward(method, arguments);
    }

    @Override
    public void release() throws SQLException {
        if (opened != null) {
            opened.release();
        }
    }

    @Override
    public @Nullable Statement physical() {
        return opened == null ? null : opened.physical();
    }

    @Override
    public @Nullable Route route() {
        return opened == null ? null : opened.route();
    }
}
