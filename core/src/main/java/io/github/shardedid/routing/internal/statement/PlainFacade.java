package io.github.shardedid.routing.internal.statement;

import io.github.shardedid.routing.internal.relocation.Homes;
import io.github.shardedid.routing.internal.target.Place;
import io.github.shardedid.routing.internal.sql.SqlText;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A statement without SQL of its own: each text that it executes decides anew where to go. Until then settings are only
 * recorded.
 */
public final class PlainFacade extends StatementFacade {
    private static final Logger LOG = LoggerFactory.getLogger(PlainFacade.class);

    private final StatementCreation creation;
    private final Map<String, Setting> settings = new LinkedHashMap<>(2);
    private final List<Router.Route> batch = new ArrayList<>(0);
    private Router.@Nullable Route route;
    private @Nullable Statement physical;

    public PlainFacade(Connection owner, Router router, StatementCreation creation) {
        super(owner, router);
        this.creation = creation;
    }

    /** A setter of a statement has one argument. */
    private record Setting(Method method, @Nullable Object value) {}

    @Override
    public @Nullable Object call(Object proxy, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        String name = method.getName();
        if (name.equals("executeBatch") || name.equals("executeLargeBatch")) {
            return executeBatch(method, arguments);
        } else if (name.equals("clearBatch")) {
            batch.clear();
        } else if (name.startsWith("execute") || name.equals("addBatch")) {
            return takeSql(name, method, arguments);
        } else if (name.startsWith("set") && arguments != null) {
            settings.put(name, new Setting(method, arguments[0]));
        }
        return physical == null || isReleased() ? unopened(proxy, method, arguments) : forward(method, arguments);
    }

    private @Nullable Object takeSql(String name, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (arguments == null || !(arguments[0] instanceof String sql)) {
            throw new SQLException("SQL is needed, not null.");
        }
        boolean adding = name.equals("addBatch");
        Router.Route next = open(sql);
        @Nullable Object[] toSend = arguments.clone();
        toSend[0] = next.sqlToSend();
        if (adding) {
            batch.add(next);
            return forward(method, toSend);
        }
        return next.physical().replica() == null
                ? executeOn(next, method, toSend)
                : executeOnReplica(next, method, toSend);
    }

    private @Nullable Object executeOn(Router.Route first, Method method, @Nullable Object[] toSend) throws Throwable {
        Router.Route next = first;
        Homes.Search search = null;
        while (true) {
            boolean fresh = router.moves().isFresh(next);
            beforeExecution(next);
            SQLException failure;
            try {
                return execute(next, method, toSend);
            } catch (SQLException e) {
                failure = e;
            } finally {
                router.afterExecution(next);
            }
            search = search == null ? router.moves().search(next, timeout()) : search;
            next = adopt(elsewhere(next, fresh && batch.isEmpty(), search, failure));
        }
    }

    /** Where what has failed goes now; throws what the caller gets if it goes nowhere. */
    private Router.Route elsewhere(Router.Route last, boolean repeatable, Homes.Search search, SQLException failure)
            throws SQLException {
        if (!router.moves().mayBeLeft(last, failure) || Batches.keepPart(failure, repeatable, last)) {
            throw router.failed(last, failure);
        } else if (!repeatable) {
            throw router.failed(last, router.moves().unrepeatable(last, failure));
        }
        letGo(last);
        router.moves().find(last, search, failure);
        return router.again(last, timeout());
    }

    private void letGo(Router.Route last) {
        try {
            release();
        } catch (SQLException e) {
            LOG.debug("A statement for {} could not be closed", last.physical().name(), e);
        }
    }

    /** What a replica fails at moves to the database itself. */
    private @Nullable Object executeOnReplica(Router.Route next, Method method, @Nullable Object[] toSend)
            throws Throwable {
        SQLException failure;
        try {
            beforeExecution(next);
            Object result = execute(next, method, toSend);
            router.succeeded(next);
            return result;
        } catch (SQLException e) {
            failure = e;
        } finally {
            router.afterExecution(next);
        }
        if (!batch.isEmpty() || !router.leavesReplica(next, failure)) {
            throw router.failed(next, failure);
        }
        Router.Route primary = adopt(router.toPrimary(next));
        return executeOn(primary, method, toSend);
    }

    private long timeout() {
        Setting set = settings.get(SET_TIMEOUT);
        return nanos(set == null ? null : set.value);
    }

    private void beforeExecution(Router.Route next) throws SQLException {
        router.beforeExecution(next, Objects.requireNonNull(physical, "opened"));
    }

    private Router.Route open(String sql) throws SQLException {
        Router.Route next = router.route(sql, timeout());
        if (!batch.isEmpty() && batch.get(0).place() != next.place()) {
            router.releaseIfIdle(next.physical());
            throw new SQLException(
                    "A batch goes to one shard, here " + Place.text(batch.get(0).place())
                            + "; refused was a statement for " + Place.text(next.place()) + ": " + SqlText.brief(sql)
                            + ". Execute the batch first.");
        }
        return adopt(next);
    }

    private Router.Route adopt(Router.Route next) throws SQLException {
        try {
            if (physical == null || route == null || route.physical() != next.physical()) {
                release();
                create(next);
            }
            route = next;
            return next;
        } catch (SQLException | RuntimeException e) {
            router.releaseIfIdle(next.physical());
            throw e;
        }
    }

    private void create(Router.Route next) throws SQLException {
        Statement statement = creation.on(next.physical().connection());
        next.physical().statementOpened();
        physical = statement;
        route = next;
        for (Setting setting : settings.values()) {
            try {
                forward(statement, setting.method, new @Nullable Object[] {setting.value});
            } catch (SQLException | RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new SQLException(e);
            }
        }
    }

    private @Nullable Object executeBatch(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        if (batch.isEmpty() || isReleased()) {
            batch.clear();
            return method.getReturnType() == int[].class ? new int[0] : new long[0];
        }
        try {
            router.rules().requireScope(batch.get(0));
            if (router.moves().isElsewhere(batch.get(0))) {
                Router.Route last = batch.get(0);
                letGo(last);
                router.moves().leave(last);
                addAgain(router.again(last, timeout()));
            }
            return executeBatchHere(method, arguments);
        } finally {
            batch.clear();
        }
    }

    private @Nullable Object executeBatchHere(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        Homes.Search search = null;
        while (true) {
            boolean fresh = router.moves().isFresh(batch.get(0));
            SQLException failure;
            try {
                for (Router.Route each : batch) {
                    beforeExecution(each);
                }
                return execute(batch.get(0), method, arguments);
            } catch (SQLException e) {
                failure = e;
            } finally {
                for (Router.Route each : batch) {
                    router.afterExecution(each);
                }
            }
            search = search == null ? router.moves().search(batch.get(0), timeout()) : search;
            addAgain(elsewhere(batch.get(0), fresh, search, failure));
        }
    }

    private void addAgain(Router.Route next) throws SQLException {
        Router.Route first = adopt(next);
        batch.replaceAll(each -> router.along(each, first));
        Statement statement = Objects.requireNonNull(physical, "adopted");
        for (Router.Route each : batch) {
            statement.addBatch(each.sqlToSend());
        }
    }

    private boolean isReleased() {
        return route == null || route.physical().isReleased();
    }

    /** What a statement says that has executed nothing yet. */
    private @Nullable Object unopened(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (method.isDefault()) {
            return InvocationHandler.invokeDefault(proxy, method, arguments);
        }
        String name = method.getName();
        if (name.startsWith("get") || name.startsWith("is")) {
            Setting setting = settings.get("set" + name.substring(name.startsWith("get") ? 3 : 2));
            if (setting != null) {
                return setting.value;
            }
        }
        return switch (name) {
            case "getResultSetType" -> creation.type();
            case "getResultSetConcurrency" -> creation.concurrency();
            case "getResultSetHoldability" ->
                creation.holdability() == null ? ResultSet.CLOSE_CURSORS_AT_COMMIT : creation.holdability();
            case "getFetchDirection" -> ResultSet.FETCH_FORWARD;
            case "getUpdateCount" -> -1;
            default -> zero(method.getReturnType());
        };
    }

    private static @Nullable Object zero(Class<?> type) {
        if (type == int.class) {
            return 0;
        } else if (type == long.class) {
            return 0L;
        }
        return type == boolean.class ? false : null;
    }

    @Override
    public void release() throws SQLException {
        Statement statement = physical;
        Router.Route last = route;
        physical = null;
        route = null;
        if (statement != null && last != null) {
            try {
                statement.close();
            } finally {
                router.closed(last.physical());
            }
        }
    }

    @Override
    public @Nullable Statement physical() {
        return physical;
    }

    @Override
    public Router.@Nullable Route route() {
        return route;
    }
}
