package io.github.shardedid.routing.internal;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A prepared or callable statement: its shard was fixed when it was prepared. One that a replica fails at moves to the
 * database itself.
 */
final class PreparedFacade extends StatementFacade {
    private static final Logger LOG = LoggerFactory.getLogger(PreparedFacade.class);

    private final Preparation preparation;
    private final @Nullable RecordedCalls calls;
    private Router.Route route;
    private PreparedStatement physical;

    PreparedFacade(
            Connection owner, Router router, Router.Route route, Preparation preparation, PreparedStatement physical) {
        super(owner, router);
        this.preparation = preparation;
        this.calls = route.physical().replica() == null ? null : new RecordedCalls();
        this.route = route;
        this.physical = physical;
    }

    /** How the physical statement is made. */
    @FunctionalInterface
    interface Preparation {
        PreparedStatement on(Connection physical, String sql) throws SQLException;
    }

    @Override
    @Nullable
    Object call(Object proxy, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        requireLive();
        return switch (method.getName()) {
            case "execute",
                    "executeQuery",
                    "executeUpdate",
                    "executeLargeUpdate",
                    "executeBatch",
                    "executeLargeBatch" -> execute(method, arguments);
            // The driver writes large objects as soon as it is given them.
            case "setBlob", "setClob" -> {
                router.begin(route);
                yield forward(method, arguments);
            }
            case "getMetaData", "getParameterMetaData" -> {
                router.beforeDescription(route);
                yield forward(method, arguments);
            }
            default -> {
                if (calls != null) {
                    calls.note(method, arguments);
                }
                yield forward(method, arguments);
            }
        };
    }

    private @Nullable Object execute(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        return calls == null || route.physical().replica() == null
                ? executeHere(method, arguments)
                : executeOnReplica(calls, method, arguments);
    }

    private @Nullable Object executeOnReplica(
            RecordedCalls recorded, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        SQLException failure;
        try {
            router.beforeExecution(route, physical);
            Object result = forward(method, arguments);
            router.succeeded(route);
            return result;
        } catch (SQLException e) {
            failure = e;
        } finally {
            router.afterExecution(route);
        }
        if (recorded.areRepeatable() && router.leavesReplica(route, failure)) {
            moveToPrimary(recorded);
            return executeHere(method, arguments);
        }
        throw router.failed(route, failure);
    }

    private void moveToPrimary(RecordedCalls recorded) throws Throwable {
        Router.Route next = router.toPrimary(route);
        next.physical().statementOpened();
        try {
            PreparedStatement statement = preparation.on(next.physical().connection(), next.sqlToSend());
            recorded.repeatOn(statement);
            closeQuietly();
            route = next;
            physical = statement;
        } catch (SQLException | RuntimeException e) {
            router.closed(next.physical());
            throw e;
        }
    }

    /** Its connection may be broken. */
    private void closeQuietly() {
        try {
            release();
        } catch (SQLException e) {
            LOG.debug("A statement for {} could not be closed", route.physical().name(), e);
        }
    }

    private @Nullable Object executeHere(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        router.beforeExecution(route, physical);
        try {
            return forward(method, arguments);
        } catch (SQLException e) {
            throw router.failed(route, e);
        } finally {
            router.afterExecution(route);
        }
    }

    private void requireLive() throws SQLException {
        if (route.physical().isReleased()) {
            throw new SQLException(
                    "The transaction in which this statement was prepared has ended, and its connection has gone back to"
                            + " the pool. Prepare the statement again.",
                    "26000");
        }
    }

    @Override
    void release() throws SQLException {
        try {
            physical.close();
        } finally {
            router.closed(route.physical());
        }
    }

    @Override
    Statement physical() {
        return physical;
    }

    @Override
    Router.Route route() {
        return route;
    }
}
