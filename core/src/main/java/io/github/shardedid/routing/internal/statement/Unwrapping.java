package io.github.shardedid.routing.internal.statement;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.sql.Wrapper;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gives what the driver can do beyond JDBC with a statement or a result, but never the driver's object itself: that would lead to
 * the physical connection, past all rules.
 */
public final class Unwrapping {
    private static final List<Class<?>> LEADING_ON =
            List.of(Statement.class, ResultSet.class, DatabaseMetaData.class, Connection.class);

    private Unwrapping() {}

    public static boolean isPossible(Object proxy, @Nullable Wrapper physical, @Nullable Object wanted)
            throws SQLException {
        return wanted instanceof Class<?> type
                && (type.isInstance(proxy) || (isHarmless(type) && physical != null && physical.isWrapperFor(type)));
    }

    public static Object of(Object proxy, @Nullable Wrapper physical, @Nullable Object wanted) throws SQLException {
        if (wanted instanceof Class<?> own && own.isInstance(proxy)) {
            return proxy;
        }
        if (physical == null || !(wanted instanceof Class<?> type) || !isPossible(proxy, physical, type)) {
            throw new SQLFeatureNotSupportedException("Nothing here can be unwrapped to " + wanted
                    + ": what is the driver's own would go past the rules that keep a transaction to its shard. Take"
                    + " connection.unwrap(PGConnection.class), which says that it writes to the current shard.");
        }
        Object driver = physical.unwrap(type);
        return Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> DriverCall.forward(driver, method, arguments));
    }

    private static boolean isHarmless(Class<?> type) {
        return type.isInterface() && LEADING_ON.stream().noneMatch(each -> each.isAssignableFrom(type));
    }
}
