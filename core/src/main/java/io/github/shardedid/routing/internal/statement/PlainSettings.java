package io.github.shardedid.routing.internal.statement;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a statement without SQL of its own, recorded for the physical statements that it will have.
 * For one thread at a time.
 */
public final class PlainSettings {
    /** The last call of each setter, by its name, in the order of the first calls. */
    private final Map<String, Setting> settings = new LinkedHashMap<>(2);

    /** A call of a setter, which has one argument. */
    private record Setting(Method method, @Nullable Object value) {}

    /**
     * Records a call if it sets something.
     *
     * @throws SQLException if the driver would refuse the value
     */
    public void note(Method method, @Nullable Object @Nullable [] arguments) throws SQLException {
        if (arguments != null && arguments[0] instanceof Integer value && !isAccepted(method.getName(), value)) {
            throw new SQLException(method.getName() + " does not accept " + value + ".", "22023");
        }
        if (method.getName().startsWith("set") && arguments != null) {
            settings.put(method.getName(), new Setting(method, arguments[0]));
        }
    }

    private static boolean isAccepted(String setter, int value) {
        return switch (setter) {
            case "setFetchSize", "setMaxRows", "setMaxFieldSize", "setQueryTimeout" -> value >= 0;
            case "setFetchDirection" -> value >= ResultSet.FETCH_FORWARD && value <= ResultSet.FETCH_UNKNOWN;
            default -> true;
        };
    }

    /** Returns what a setter was given; otherwise another value. */
    public @Nullable Object get(String setter, @Nullable Object otherwise) {
        Setting setting = settings.get(setter);
        return setting == null ? otherwise : setting.value;
    }

    /** Sets everything on a physical statement. */
    public void applyTo(Statement statement) throws SQLException {
        for (Setting setting : settings.values()) {
            DriverCall.invoke(statement, setting.method, new @Nullable Object[] {setting.value});
        }
    }

    /** Returns the answer of a statement that has executed nothing yet: what was set, else the driver's default. */
    public @Nullable Object answer(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (method.getName().endsWith("LargeMaxRows")) {
            throw new SQLFeatureNotSupportedException("The driver does not support " + method.getName() + ".", "0A000");
        } else if (method.isDefault() && !method.getName().equals("getLargeUpdateCount")) {
            return InvocationHandler.invokeDefault(proxy, method, arguments);
        }
        Class<?> type = method.getReturnType();
        Object otherwise = null;
        if (type == int.class) {
            otherwise = method.getName().equals("getUpdateCount") ? -1 : 0;
        } else if (type == long.class) {
            otherwise = -1L;
        } else if (type == boolean.class) {
            otherwise = false;
        }
        return get(method.getName().replaceFirst("^(get|is)", "set"), otherwise);
    }
}
