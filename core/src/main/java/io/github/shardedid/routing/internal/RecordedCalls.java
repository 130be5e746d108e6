package io.github.shardedid.routing.internal;

import java.io.InputStream;
import java.io.Reader;
import java.lang.reflect.Method;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The settings and parameters of a prepared statement, so that another one can be given the same. */
final class RecordedCalls {
    /** A parameter by its index, anything else by the name of its setter. */
    private final Map<Object, Call> calls = new LinkedHashMap<>();

    private boolean repeatable = true;

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Call(Method method, @Nullable Object @Nullable [] arguments) {}

    /** Notes a call if it sets something. */
    void note(Method method, @Nullable Object @Nullable [] arguments) {
        if (method.getName().equals("clearParameters")) {
            calls.keySet().removeIf(Integer.class::isInstance);
        } else if (arguments != null && method.getName().startsWith("set")) {
            Object key = arguments.length > 1 && arguments[0] instanceof Integer index ? index : method.getName();
            calls.put(key, new Call(method, arguments));
            repeatable &= !canBeReadOnlyOnce(arguments);
        }
    }

    private static boolean canBeReadOnlyOnce(@Nullable Object[] arguments) {
        for (Object argument : arguments) {
            if (argument instanceof Reader || argument instanceof InputStream) {
                return true;
            }
        }
        return false;
    }

    /** Whether nothing can be read only once. */
    boolean areRepeatable() {
        return repeatable;
    }

    void repeatOn(Statement statement) throws Throwable {
        for (Call call : calls.values()) {
            StatementFacade.forward(statement, call.method, call.arguments);
        }
    }
}
