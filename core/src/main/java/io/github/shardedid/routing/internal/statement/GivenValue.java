package io.github.shardedid.routing.internal.statement;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.sql.Array;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * A value of a row that continues to use the connection: a large object, which writes as soon as it is called,
 * or an array, which gives results.
 *
 * <p>The driver's own object would write past the rules: a {@code Blob} of a query writes into the database
 * without a statement. So it is a proxy, which checks each write as a statement is checked.
 *
 * @param value the driver's object
 * @param statement the application's statement, to which results lead back; null if there is none
 * @param giver where the value comes from, which applies the rules
 */
record GivenValue(Object value, @Nullable Statement statement, ResultFacade.Giver giver) implements InvocationHandler {
    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        String name = method.getName();
        if (name.equals("equals")) {
            return arguments != null && proxy == arguments[0];
        }
        try {
            if (!(value instanceof Array) && !name.equals("free")) {
                giver.beforeLargeObject(name);
            }
            if (name.startsWith("set") || name.equals("truncate")) {
                giver.beforeUse(name, true);
            }
            return StatementFacade.given(DriverCall.forward(value, method, arguments), statement, giver);
        } catch (SQLException e) {
            throw giver.explain(e);
        }
    }
}
