package io.github.shardedid.routing.internal.statement;

import io.github.shardedid.routing.internal.relocation.Homes;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PGobject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A prepared or callable statement: its shard was fixed when it was prepared. One that a replica fails at moves to the
 * database itself; one whose shard has moved goes after it.
 */
public final class PreparedFacade extends StatementFacade {
    private static final Logger LOG = LoggerFactory.getLogger(PreparedFacade.class);

    private static final Set<String> VALUES =
            Set.of("setLong", "setInt", "setShort", "setObject", "setBigDecimal", "setString");

    private final Preparation preparation;
    private final RecordedCalls calls = new RecordedCalls();
    private Router.Route route;
    private PreparedStatement physical;
    private long timeout = Homes.NO_TIMEOUT;
    private boolean detached;

    public PreparedFacade(
            Connection owner, Router router, Router.Route route, Preparation preparation, PreparedStatement physical) {
        super(owner, router);
        this.preparation = preparation;
        this.route = route;
        this.physical = physical;
    }

    /** How the physical statement is made. */
    @FunctionalInterface
    public interface Preparation {
        PreparedStatement on(Connection physical, String sql) throws SQLException;
    }

    @Override
    public @Nullable Object call(Object proxy, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
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
                router.beforeWrite(route, method.getName());
                calls.note(method, arguments);
                yield forward(method, arguments);
            }
            case "getMetaData", "getParameterMetaData" -> describe(method, arguments);
            case "addBatch" -> {
                router.rules().requireScope(route);
                calls.note(method, arguments);
                yield forward(method, arguments);
            }
            default -> {
                if (method.getName().equals(SET_TIMEOUT) && arguments != null) {
                    timeout = nanos(arguments[0]);
                }
                @Nullable Object @Nullable [] given = arguments;
                if (VALUES.contains(method.getName())) {
                    router.rules().checkParameter(route, arguments);
                    given = withTypes(arguments);
                }
                calls.note(method, given);
                yield forward(method, given);
            }
        };
    }

    /** The arguments of a setter, in which types of the shard are named with its schema. */
    private @Nullable Object @Nullable [] withTypes(@Nullable Object @Nullable [] arguments) throws SQLException {
        if (arguments == null || arguments.length < 2 || !(arguments[1] instanceof PGobject)) {
            return arguments;
        }
        @Nullable Object[] named = arguments.clone();
        named[1] = route.physical().session().types().named(arguments[1], route.schema(), route.physical());
        return named;
    }

    private @Nullable Object execute(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        router.rules().requireScope(route);
        Homes.Search search = null;
        if (router.moves().isElsewhere(route)) {
            search = router.moves().search(route, timeout);
            leave();
        }
        try {
            return route.physical().replica() == null
                    ? executeHere(method, arguments, search)
                    : executeOnReplica(method, arguments, search);
        } finally {
            calls.executed();
        }
    }

    private @Nullable Object executeOnReplica(
            Method method, @Nullable Object @Nullable [] arguments, Homes.@Nullable Search search) throws Throwable {
        SQLException failure;
        try {
            router.beforeExecution(route, physical);
            Object result = execute(route, method, arguments);
            router.succeeded(route);
            return result;
        } catch (SQLException e) {
            failure = e;
        } finally {
            router.afterExecution(route);
        }
        if (calls.areRepeatable() && router.leavesReplica(route, failure)) {
            detach();
            attach(router.toPrimary(route));
            return executeHere(method, arguments, search);
        }
        throw router.failed(route, failure);
    }

    private @Nullable Object executeHere(
            Method method, @Nullable Object @Nullable [] arguments, Homes.@Nullable Search begun) throws Throwable {
        Homes.Search search = begun;
        while (true) {
            boolean fresh = router.moves().isFresh(route);
            router.beforeExecution(route, physical);
            SQLException failure;
            try {
                return execute(route, method, arguments);
            } catch (SQLException e) {
                failure = e;
            } finally {
                router.afterExecution(route);
            }
            search = follow(search, failure, fresh);
        }
    }

    /** The database looks at the shard's tables to describe the statement. */
    private @Nullable Object describe(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        Homes.Search search = null;
        while (true) {
            boolean fresh = router.moves().isFresh(route);
            router.beforeDescription(route, physical);
            SQLException failure;
            try {
                return forward(method, arguments);
            } catch (SQLException e) {
                failure = e;
            } finally {
                router.afterExecution(route);
            }
            search = follow(search, failure, fresh);
        }
    }

    /** Goes after a shard that was not where the statement was sent; throws what the caller gets if that cannot be. */
    private Homes.Search follow(Homes.@Nullable Search begun, SQLException failure, boolean fresh) throws Throwable {
        if (!router.moves().mayBeLeft(route, failure) || Batches.keepPart(failure, fresh, route)) {
            throw router.failed(route, failure);
        } else if (!fresh || !calls.areRepeatable()) {
            throw router.failed(route, router.moves().unrepeatable(route, failure));
        }
        Homes.Search search = begun == null ? router.moves().search(route, timeout) : begun;
        detach();
        router.moves().find(route, search, failure);
        attach(router.again(route, timeout));
        return search;
    }

    /** Goes after a shard that is known not to be there any more, or to be about to leave. */
    private void leave() throws Throwable {
        if (calls.areRepeatable()) {
            detach();
            router.moves().leave(route);
            attach(router.again(route, timeout));
        }
    }

    private void attach(Router.Route next) throws Throwable {
        next.physical().statementOpened();
        try {
            PreparedStatement statement = preparation.on(next.physical().connection(), next.sqlToSend());
            calls.repeatOn(statement);
            route = next;
            physical = statement;
            detached = false;
        } catch (SQLException | RuntimeException e) {
            router.closed(next.physical());
            throw e;
        }
    }

    /** Lets go of the connection, which may be broken. */
    private void detach() {
        try {
            release();
        } catch (SQLException e) {
            LOG.debug("A statement for {} could not be closed", route.physical().name(), e);
        }
    }

    private void requireLive() throws Throwable {
        if (detached) {
            attach(router.again(route, timeout));
        }
        if (route.physical().isReleased()) {
            throw new SQLException(
                    "The transaction in which this statement was prepared has ended, and its connection has gone back to"
                            + " the pool. Prepare the statement again.",
                    "26000");
        }
    }

    @Override
    public void release() throws SQLException {
        if (detached) {
            return;
        }
        detached = true;
        try {
            physical.close();
        } finally {
            router.closed(route.physical());
        }
    }

    @Override
    public Statement physical() {
        return physical;
    }

    @Override
    public Router.Route route() {
        return route;
    }
}
