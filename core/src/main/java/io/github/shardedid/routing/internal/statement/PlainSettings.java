package io.github.shardedid.routing.internal.statement;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The settings of a statement without SQL of its own, recorded for the physical statements that it will have. */
public final class PlainSettings {
    private final Map<String, Setting> settings = new LinkedHashMap<>(2);

    /** A setter of a statement has one argument. */
    private record Setting(Method method, @Nullable Object value) {}

    /** Records a call if it sets something. */
    public void note(Method method, @Nullable Object @Nullable [] arguments) {
        if (method.getName().startsWith("set") && arguments != null) {
            settings.put(method.getName(), new Setting(method, arguments[0]));
        }
    }

    @Nullable
    Object get(String setter, @Nullable Object otherwise) {
        Setting setting = settings.get(setter);
        return setting == null ? otherwise : setting.value;
    }

    public void applyTo(Statement statement) throws SQLException {
        for (Setting setting : settings.values()) {
            DriverCall.invoke(statement, setting.method, new @Nullable Object[] {setting.value});
        }
    }

    /** The answer of a statement that has executed nothing yet. */
    public @Nullable Object answer(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (method.isDefault()) {
            return InvocationHandler.invokeDefault(proxy, method, arguments);
        }
        Class<?> type = method.getReturnType();
        Object otherwise = null;
        if (type == int.class) {
            otherwise = method.getName().equals("getUpdateCount") ? -1 : 0;
        } else if (type == long.class) {
            otherwise = 0L;
        } else if (type == boolean.class) {
            otherwise = false;
        }
        return get(method.getName().replaceFirst("^(get|is)", "set"), otherwise);
    }
}
