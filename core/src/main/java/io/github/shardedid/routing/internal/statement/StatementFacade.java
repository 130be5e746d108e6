package io.github.shardedid.routing.internal.statement;

import io.github.shardedid.routing.internal.connection.Route;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The common part of the facades of statements: they lead back to the routed connection, never to the physical
 * one, so that no call goes past the rules.
 *
 * <p>They are proxies, as JDBC's interfaces have a hundred methods, of which few differ. One thread uses a
 * statement, but another one may cancel or close it while it is executing. A statement that is closed in the
 * midst of a call is cancelled, and lets go of its connection when the call has ended: otherwise the connection
 * would be in its pool while it still executes.
 *
 * <p>A call of the application passes these methods:
 *
 * <ol>
 *   <li>{@link #invoke} answers what concerns the proxy itself, and passes setters on to {@link #call}.
 *   <li>{@code open} counts the call, so that closing waits for it, and {@code answer} wraps what it returns.
 *   <li>{@link #call} is the statement's own. An execution goes to {@link #execute}, in {@link PreparedFacade} by way of {@code run},
 *       which repeats it where that is safe, and {@code watched}, which notifies the listener.
 *   <li>{@link #forward} calls the physical statement.
 * </ol>
 */
public abstract class StatementFacade implements InvocationHandler, ResultFacade.Giver {
    private static final String CLOSED = "55000";

    public final Router router;
    private final Connection owner;
    private final ReentrantLock lock = new ReentrantLock();
    /** The number of calls that are being answered. Guarded by the lock. */
    private int calls;

    /** True when the application has closed the statement. Written under the lock. */
    private volatile boolean closed;

    private boolean closesOnCompletion;

    public StatementFacade(Connection owner, Router router) {
        this.owner = owner;
        this.router = router;
    }

    /** Returns the statement that the application receives. */
    public <S extends Statement> S as(Class<S> type) {
        return type.cast(Proxy.newProxyInstance(StatementFacade.class.getClassLoader(), new Class<?>[] {type}, this));
    }

    /**
     * Answers a call that concerns the database.
     *
     * @param arguments null if there are none
     */
    public abstract @Nullable Object call(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable;

    /**
     * Executes the statement for another facade, which executes one text after the other.
     *
     * @param arguments the text, and what keys are wanted; for a batch, its texts
     */
    @Nullable
    Object execute(Object proxy, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        return call(proxy, method, null);
    }

    /** Answers any other call for that facade. */
    @Nullable
    Object pass(Object proxy, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        return call(proxy, method, arguments);
    }

    /** Closes the physical statement and lets go of its connection. Called once no call is being answered. */
    public abstract void release() throws SQLException;

    /** Returns the physical statement, or null if there is none, or none yet. */
    public @Nullable Statement physical() {
        return null;
    }

    /**
     * Returns where the statement has gone, or null if it has gone nowhere yet, or to several shards, outside
     * any transaction.
     */
    public @Nullable Route route() {
        return null;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        String name = method.getName();
        if (!closed && name.startsWith("set")) {
            return call(proxy, method, arguments); // most calls, by far
        }
        return switch (name) {
            case "close" -> {
                close();
                yield null;
            }
            case "isClosed" -> closed || owner.isClosed();
            case "equals" -> arguments != null && proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(this);
            case "toString" -> String.valueOf(physical());
            case "isWrapperFor" -> Unwrapping.isPossible(proxy, first(arguments));
            default -> open(proxy, method, arguments);
        };
    }

    private @Nullable Object open(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        enter();
        try {
            return answer(proxy, method, arguments);
        } finally {
            leave();
        }
    }

    /** Begins a call, unless the statement or its connection is closed. */
    private void enter() throws SQLException {
        lock.lock();
        try {
            if (closed) {
                throw new SQLException("The statement is closed.", CLOSED);
            } else if (owner.isClosed()) {
                throw new SQLException("The connection of the statement is closed.", "08003");
            }
            calls++;
        } finally {
            lock.unlock();
        }
    }

    /** Ends a call. The last one releases a statement that was closed meanwhile. */
    private void leave() throws SQLException {
        lock.lock();
        try {
            calls--;
            if (closed && calls == 0) {
                release();
            }
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Object answer(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        return switch (method.getName()) {
            case "getConnection" -> owner;
            case "closeOnCompletion" -> {
                closesOnCompletion = true;
                yield closing(null);
            }
            case "isCloseOnCompletion" -> closesOnCompletion;
            case "unwrap" -> Unwrapping.of(proxy, first(arguments));
            default -> given(closing(call(proxy, method, arguments)), (Statement) proxy, this);
        };
    }

    /** Returns what the application receives for a value: itself, if it does not use the connection. */
    static @Nullable Object given(@Nullable Object value, @Nullable Statement statement, ResultFacade.Giver giver) {
        if (value == null || isOfCore(value.getClass())) {
            return value;
        } else if (value instanceof ResultSet rows) {
            return ResultFacade.of(rows, statement, giver);
        }
        Class<?> type = value instanceof Blob
                ? Blob.class
                : value instanceof Clob ? Clob.class : value instanceof Array ? Array.class : null;
        return type == null
                ? value
                : Proxy.newProxyInstance(
                        GivenValue.class.getClassLoader(),
                        new Class<?>[] {type},
                        new GivenValue(value, statement, giver));
    }

    /**
     * Returns whether a class is one of Java's core, such as {@code String}: none of them implements an
     * interface of JDBC, which is in another module. To ask each value of a result whether it does so took a
     * sixth of the time of a query of twenty rows.
     */
    private static boolean isOfCore(Class<?> type) {
        return type.getClassLoader() == null;
    }

    private static Object first(@Nullable Object @Nullable [] arguments) {
        if (arguments == null || arguments[0] == null) {
            throw new IllegalArgumentException("A type is needed, not null.");
        }
        return arguments[0];
    }

    /**
     * Passes {@code closeOnCompletion} on to the physical statement. The driver knows which of the results is
     * the last one.
     */
    private @Nullable Object closing(@Nullable Object answer) throws SQLException {
        Statement physical = closesOnCompletion && (answer == null || answer instanceof ResultSet) ? physical() : null;
        if (physical != null) {
            physical.closeOnCompletion();
        }
        return answer;
    }

    /**
     * Closes the statement, or cancels what it executes, which then closes it. Does nothing if it is closed
     * already.
     */
    private void close() throws SQLException {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                if (calls == 0) {
                    release();
                } else {
                    cancel();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Cancels what is being executed. */
    public void cancel() throws SQLException {
        Statement physical = physical();
        if (physical != null) {
            physical.cancel();
        }
    }

    @Nullable
    public Object forward(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        return DriverCall.forward(physical(), method, arguments);
    }

    @Override
    public void resultClosed() throws SQLException {
        Statement physical = physical();
        if (closesOnCompletion && (physical == null || physical.isClosed())) {
            close();
        }
    }

    @Override
    public void transactionNeeded() throws SQLException {
        Route route = route();
        if (route != null) {
            router.begin(route);
        }
    }

    @Override
    public void beforeUse(String call, boolean writes) throws SQLException {
        Route route = route();
        if (route != null && writes) {
            router.beforeWrite(route, call);
        } else if (route != null) {
            router.beforeDescription(route, physical());
        }
    }

    @Override
    public SQLException explain(SQLException failure) {
        Route route = route();
        return route == null ? failure : router.failed(route, failure);
    }
}
