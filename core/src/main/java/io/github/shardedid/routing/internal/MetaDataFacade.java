package io.github.shardedid.routing.internal;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Takes a connection for each question, and keeps it only as long as a result is open. */
final class MetaDataFacade implements InvocationHandler {
    private final Connection owner;
    private final Router router;

    private MetaDataFacade(Connection owner, Router router) {
        this.owner = owner;
        this.router = router;
    }

    static DatabaseMetaData of(Connection owner, Router router) {
        return (DatabaseMetaData) Proxy.newProxyInstance(
                MetaDataFacade.class.getClassLoader(),
                new Class<?>[] {DatabaseMetaData.class},
                new MetaDataFacade(owner, router));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        return switch (method.getName()) {
            case "getConnection" -> owner;
            case "equals" -> arguments != null && proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(this);
            case "toString" -> "metadata of " + owner;
            default -> ask(method, arguments);
        };
    }

    private @Nullable Object ask(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        if (owner.isClosed()) {
            throw new SQLException("The connection is closed.", "08003");
        }
        PhysicalConnection physical = router.any();
        physical.statementOpened();
        boolean kept = false;
        try {
            Object answer = StatementFacade.forward(physical.connection().getMetaData(), method, arguments);
            kept = answer instanceof ResultSet;
            return answer instanceof ResultSet rows ? releasing(rows, physical) : answer;
        } catch (SQLException e) {
            throw ConnectionLoss.explain(e, physical.database());
        } finally {
            if (!kept) {
                router.closed(physical);
            }
        }
    }

    /** Whose statement is the driver's own, so that there is none to lead back to. */
    private ResultSet releasing(ResultSet rows, PhysicalConnection physical) {
        return ResultFacade.of(rows, null, new ResultFacade.Giver() {
            private boolean closed;

            @Override
            public void transactionNeeded() {
                // Catalogs have no large objects.
            }

            @Override
            public void resultClosed() {
                if (!closed) {
                    closed = true;
                    router.closed(physical);
                }
            }

            @Override
            public SQLException explain(SQLException failure) {
                return ConnectionLoss.explain(failure, physical.database());
            }
        });
    }
}
