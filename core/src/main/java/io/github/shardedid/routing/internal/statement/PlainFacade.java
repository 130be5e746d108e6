package io.github.shardedid.routing.internal.statement;

import io.github.shardedid.routing.internal.connection.Route;
import io.github.shardedid.routing.internal.sql.SqlText;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A statement without SQL of its own: each text that it executes is routed by itself. Until then, settings are
 * only recorded, since there is no physical statement that could have them.
 *
 * <p>The physical statement is kept for the next text, if that goes over the same connection, and replaced
 * otherwise. The texts of a batch go to one target: a batch is one call of the driver.
 */
public final class PlainFacade extends StatementFacade {
    private static final Logger LOG = LoggerFactory.getLogger(PlainFacade.class);

    private final StatementCreation creation;
    private final PlainSettings settings = new PlainSettings();
    /** Executes one text. */
    private final Execution single;
    /** The texts of the batch, all for one target and over one connection. */
    private final List<Route> batch = new ArrayList<>(0);
    /** The route of the last text; null before the first one, and after the physical statement was closed. */
    private @Nullable Route route;

    private @Nullable Statement physical;
    /** True if the text being executed returns generated keys. */
    private boolean wantsKeys;
    /** The statements with which the text being executed is sent; null if there are none. */
    private @Nullable PathFirst pathFirst;

    public PlainFacade(Connection owner, Router router, StatementCreation creation) {
        super(owner, router);
        this.creation = creation;
        this.single = new Execution(router, new Single());
    }

    @Override
    public @Nullable Object call(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        String name = method.getName();
        if (name.equals("executeBatch") || name.equals("executeLargeBatch")) {
            return executeBatch(method, arguments);
        } else if (name.equals("clearBatch")) {
            batch.clear();
        } else if (name.startsWith("execute") || name.equals("addBatch")) {
            return takeSql(name, method, arguments);
        }
        settings.note(method, arguments);
        return physical == null || isReleased() ? unopened(proxy, method, arguments) : forward(method, arguments);
    }

    /** Executes a text, or adds it to the batch. All methods that have a text have it as their first argument. */
    private @Nullable Object takeSql(String name, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (arguments == null || !(arguments[0] instanceof String sql)) {
            throw new SQLException("SQL is needed, not null.");
        }
        boolean adding = name.equals("addBatch");
        Route next = open(sql);
        @Nullable Object[] toSend = arguments.clone();
        toSend[0] = next.sqlToSend();
        if (adding) {
            batch.add(next);
            return forward(method, toSend);
        }
        wantsKeys = arguments.length > 1 && !Objects.equals(arguments[1], Statement.NO_GENERATED_KEYS);
        return single.run(method, toSend, null);
    }

    /** A text that is executed. Not repeatable while there is a batch, as the physical statement has its texts. */
    private class Single implements Execution.Subject {
        @Override
        public Route route() {
            return Objects.requireNonNull(route, "opened");
        }

        @Override
        public boolean isRepeatable() {
            return batch.isEmpty();
        }

        @Override
        public void beforeExecution() throws SQLException {
            Statement statement = Objects.requireNonNull(physical, "opened");
            boolean joins = batch.isEmpty() && PathFirst.fits(route(), statement, wantsKeys);
            pathFirst = router.beforeExecution(route(), statement, joins);
        }

        @Override
        public void afterExecution() throws SQLException {
            router.afterExecution(route());
        }

        @Override
        public @Nullable Object forward(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
            if (pathFirst == null || arguments == null) {
                return PlainFacade.this.forward(method, arguments);
            }
            @Nullable Object[] toSend = arguments.clone();
            toSend[0] = pathFirst.before(String.valueOf(arguments[0]));
            return pathFirst.execute(Objects.requireNonNull(physical, "opened"), method, toSend);
        }

        @Override
        public void detach() {
            letGo();
        }

        @Override
        public void attach(Route next) throws SQLException {
            adopt(next);
        }
    }

    /** The texts of the batch, which are executed together. They are added again to another physical statement. */
    private final class WholeBatch extends Single {
        @Override
        public Route route() {
            return batch.get(0);
        }

        @Override
        public boolean isRepeatable() {
            return true;
        }

        @Override
        public List<Route> routes() {
            return batch;
        }

        @Override
        public int rows() {
            return batch.size();
        }

        @Override
        public boolean mayCommit() {
            return batch.stream().anyMatch(each -> each.analysis().traits().mayCommit());
        }

        @Override
        public void beforeExecution() throws SQLException {
            pathFirst = null;
            for (Route each : batch) {
                router.beforeExecution(each, Objects.requireNonNull(physical, "opened"), false);
            }
        }

        @Override
        public void afterExecution() throws SQLException {
            for (Route each : batch) {
                router.afterExecution(each);
            }
        }

        @Override
        public void attach(Route next) throws SQLException {
            Route first = adopt(next);
            batch.replaceAll(each -> router.overSameConnection(each, first));
            Statement statement = Objects.requireNonNull(physical, "adopted");
            for (Route each : batch) {
                statement.addBatch(each.sqlToSend());
            }
        }
    }

    /** Releases the physical statement. A failure does not matter, since the connection may be broken. */
    private void letGo() {
        try {
            release();
        } catch (SQLException e) {
            LOG.debug("A statement could not be closed", e);
        }
    }

    /** Routes a text, and adopts the connection. If a batch has begun, the text must have its target. */
    private Route open(String sql) throws SQLException {
        Route next = router.route(sql);
        if (!batch.isEmpty() && !batch.get(0).target().equals(next.target())) {
            router.releaseIfUnused(next.physical());
            throw new SQLException(
                    "A batch goes to one shard, here " + batch.get(0).target()
                            + "; refused was a statement for " + next.target() + ": " + SqlText.brief(sql)
                            + ". Execute the batch first.");
        }
        return adopt(next);
    }

    /** Continues over the connection of a route, with a new physical statement if it is another one. */
    private Route adopt(Route next) throws SQLException {
        try {
            if (physical == null || route == null || route.physical() != next.physical()) {
                release();
                create(next);
            }
            route = next;
            return next;
        } catch (SQLException | RuntimeException e) {
            router.releaseIfUnused(next.physical());
            throw e;
        }
    }

    private void create(Route next) throws SQLException {
        Statement statement = creation.on(next.physical().connection());
        next.physical().statementOpened();
        physical = statement;
        route = next;
        settings.applyTo(statement);
    }

    private @Nullable Object executeBatch(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        if (batch.isEmpty() && !isReleased()) {
            return forward(method, arguments);
        } else if (isReleased()) {
            batch.clear();
            return method.getReturnType() == int[].class ? new int[0] : new long[0];
        }
        try {
            router.rules().requireScope(batch.get(0));
            Execution whole = new Execution(router, new WholeBatch());
            return whole.run(method, arguments, whole.followBefore());
        } finally {
            batch.clear();
        }
    }

    /**
     * Returns whether there is no physical statement, or the transaction has ended and its connection has gone
     * back.
     */
    private boolean isReleased() {
        return route == null || route.physical().isReleased();
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
        Statement statement = physical;
        Route last = route;
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
    public @Nullable Route route() {
        return route;
    }
}
