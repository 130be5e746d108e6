package io.github.shardedid.routing.internal.statement;

import java.io.InputStream;
import java.io.Reader;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The calls that have set something on a statement, so that another statement can be given the same:
 * the last call for each setting and for each parameter, and for each row of the batch its parameters. For one
 * thread at a time.
 *
 * <p>A statement is prepared again if its shard has moved, if a replica has failed, or if it needs its search
 * path in the same text. Then the driver's first statement is gone, with all that was set on it. One without SQL of its
 * own, or for several shards, has no statement of the driver when it is set.
 */
public final class RecordedCalls {
    /** A larger batch is not worth the memory. */
    private static final int MOST_ROWS = 50_000;

    private static final @Nullable Call[] NONE = {};

    /** The settings by the name of the method; for one with a number or a name as its first argument, with that. */
    private final Map<String, Call> settings = new LinkedHashMap<>(2);
    /** The last call for each parameter, by its number. An array, since most calls by far set parameters. */
    private @Nullable Call[] parameters = NONE;

    /** The parameters of each row of the batch. */
    private final List<@Nullable Call[]> batch = new ArrayList<>(0);
    /** True after the batch was executed: its rows do not count any more, and the next setter drops them. */
    private boolean executed;
    /** True if the batch had more rows than are kept. */
    private boolean tooMany;
    /** True if a value was a stream, whose content cannot be sent a second time. */
    private boolean readOnce;

    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Call(Method method, @Nullable Object @Nullable [] arguments) {
        void repeatOn(Statement statement) throws SQLException {
            DriverCall.invoke(statement, method, arguments);
        }

        /** Sets the parameter on another statement, by another number. */
        public void setOn(PreparedStatement statement, int index) throws SQLException {
            @Nullable Object[] moved = Objects.requireNonNull(arguments).clone();
            moved[0] = index;
            DriverCall.invoke(statement, method, moved);
        }

        /** Returns the value of a parameter; null for NULL. */
        public @Nullable Object value() {
            return arguments == null || method.getName().equals("setNull") ? null : arguments[1];
        }
    }

    /** Returns whether a call sets something. */
    static boolean isSetting(Method method) {
        String name = method.getName();
        return name.startsWith("set")
                || name.startsWith("register")
                || name.startsWith("clear")
                || name.equals("addBatch");
    }

    /**
     * Notes a call if it sets something, of a statement that is not the driver's.
     *
     * @throws SQLException if the driver would refuse the value
     */
    public void noteAhead(Method method, @Nullable Object @Nullable [] arguments) throws SQLException {
        if (arguments != null && arguments[0] instanceof Integer value && !isAccepted(method.getName(), value)) {
            throw new SQLException(method.getName() + " does not accept " + value + ".", "22023");
        }
        note(method, arguments);
    }

    private static boolean isAccepted(String setter, int value) {
        return switch (setter) {
            case "setFetchSize", "setMaxRows", "setMaxFieldSize", "setQueryTimeout" -> value >= 0;
            case "setFetchDirection" -> value >= ResultSet.FETCH_FORWARD && value <= ResultSet.FETCH_UNKNOWN;
            default -> true;
        };
    }

    /** Notes a call if it sets something. */
    void note(Method method, @Nullable Object @Nullable [] arguments) {
        String name = method.getName();
        if (!isSetting(method) || name.equals("clearWarnings")) {
            return;
        }
        forgetExecuted();
        switch (name) {
            case "addBatch" -> {
                tooMany |= batch.size() == MOST_ROWS;
                batch.add(parameters.clone());
            }
            case "clearBatch" -> batch.clear();
            case "clearParameters" -> parameters = NONE;
            default -> set(name, method, arguments);
        }
    }

    private void set(String name, Method method, @Nullable Object @Nullable [] arguments) {
        Call call = new Call(method, arguments == null ? null : copied(arguments));
        Object first = arguments == null || arguments.length < 2 ? null : arguments[0];
        if (first instanceof Integer number && number > 0 && name.startsWith("set")) {
            if (number >= parameters.length) {
                parameters = Arrays.copyOf(parameters, Math.max(number + 1, 2 * parameters.length));
            }
            parameters[number] = call;
        } else {
            settings.put(first == null ? name : name + first, call);
        }
    }

    /**
     * Returns the arguments with copies of values that can change. Drivers read a value when it is set; the
     * application may change it afterwards, before it is sent again.
     */
    private @Nullable Object[] copied(@Nullable Object[] arguments) {
        @Nullable Object[] copies = arguments;
        for (int i = 0; i < arguments.length; i++) {
            Object argument = arguments[i];
            readOnce |= argument instanceof Reader || argument instanceof InputStream;
            Object copy = copyOf(argument);
            if (copy != argument) {
                copies = copies == arguments ? arguments.clone() : copies;
                copies[i] = copy;
            }
        }
        return copies;
    }

    @SuppressWarnings("JavaUtilDate") // what JDBC takes
    private static @Nullable Object copyOf(@Nullable Object argument) {
        if (argument instanceof Date date) {
            return date.clone();
        } else if (argument instanceof Calendar calendar) {
            return calendar.clone();
        } else if (argument != null && argument.getClass().isArray()) {
            int length = Array.getLength(argument);
            Object copy = Array.newInstance(argument.getClass().getComponentType(), length);
            System.arraycopy(argument, 0, copy, 0, length);
            return copy;
        }
        return argument;
    }

    /** Returns the number of rows of the batch, since it was executed last. */
    int rows() {
        return executed ? 0 : batch.size();
    }

    /** Returns a parameter that was set last, if it is a text; else null. */
    @Nullable
    String text(int parameter) {
        Call call = parameter < parameters.length ? parameters[parameter] : null;
        return call != null && call.value() instanceof String text ? text : null;
    }

    /** Returns the last call for each parameter, by its number; null for one that was not set. */
    public List<@Nullable Call> parameters() {
        return Arrays.asList(parameters.clone());
    }

    /** Returns what a setter with one argument was given; otherwise another value. */
    public @Nullable Object get(String setter, @Nullable Object otherwise) {
        Call call = settings.get(setter);
        return call == null || call.arguments == null ? otherwise : call.arguments[0];
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

    /**
     * Returns whether another statement can be given everything: no value can be read only once, and the batch
     * is not too large.
     */
    boolean areRepeatable() {
        return !readOnce && !tooMany;
    }

    /** Notes that the statement was executed; its batch, if there was one, is empty now. */
    void executed() {
        executed = true;
    }

    /** Forgets the batch if it was executed, as the driver has done. */
    private void forgetExecuted() {
        if (executed) {
            executed = false;
            tooMany = false;
            batch.clear();
        }
    }

    /** Gives another statement everything that still counts: of a batch that was executed, no row. */
    public void repeatOn(Statement physical) throws SQLException {
        forgetExecuted();
        for (Call setting : settings.values()) {
            setting.repeatOn(physical);
        }
        if (!(physical instanceof PreparedStatement statement)) {
            return;
        }
        for (@Nullable Call[] row : batch) {
            repeat(row, statement);
            statement.addBatch();
            statement.clearParameters(); // of a row, those of the row before may have been cleared
        }
        repeat(parameters, statement);
    }

    private static void repeat(@Nullable Call[] row, PreparedStatement statement) throws SQLException {
        for (Call parameter : row) {
            if (parameter != null) {
                parameter.repeatOn(statement);
            }
        }
    }
}
