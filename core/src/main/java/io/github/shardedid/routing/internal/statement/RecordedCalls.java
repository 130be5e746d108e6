package io.github.shardedid.routing.internal.statement;

import java.io.InputStream;
import java.io.Reader;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Date;
import org.jspecify.annotations.Nullable;

/**
 * The settings and parameters of a prepared statement, its batch included, in their order, so that another statement can be
 * given the same. Of a statement that is executed again and again, what is outdated is thrown out now and then.
 */
final class RecordedCalls {
    private static final String ADD_BATCH = "addBatch";

    /** A larger batch is not worth the memory. */
    private static final int MOST_CALLS = 200_000;

    private static final int FEW_CALLS = 32;
    /** Room that is kept for the next batch: that of some hundred rows. */
    private static final int MOST_KEPT = 4_096;

    private static final @Nullable Object[] NONE = {};

    /** Method, arguments, method, arguments … */
    private @Nullable Object[] calls = NONE;

    private int size;
    private int rows;
    private int compactedTo;
    private boolean executed;
    private boolean tooMany;
    private boolean readOnce;

    /** The parameters that are set by the calls, as {@link LastCalls#bit} has them. */
    private long parameters;

    /** Whether there are calls that set something else. */
    private boolean others;

    /** Notes a call if it sets something. */
    void note(Method method, @Nullable Object @Nullable [] arguments) {
        String name = method.getName();
        if (!isSetting(method) || name.equals("clearWarnings")) {
            return;
        }
        forgetExecuted();
        if (size >= 2 * MOST_CALLS) {
            tooMany = true;
            return;
        }
        append(method, arguments == null ? null : copied(arguments));
        if (isRow(name)) {
            rows++;
        } else if (name.equals("clearBatch")) {
            rows = 0;
            others = true;
        } else {
            long bit = LastCalls.bit(method, arguments);
            parameters |= bit;
            others |= bit == 0;
        }
    }

    private static boolean isRow(String name) {
        return name.equals(ADD_BATCH);
    }

    private void append(Object method, @Nullable Object @Nullable [] arguments) {
        if (size == calls.length) {
            calls = Arrays.copyOf(calls, Math.max(8, size * 2));
        }
        calls[size++] = method;
        calls[size++] = arguments;
    }

    /** Drivers read a value when it is set; it may be changed afterwards. */
    private @Nullable Object[] copied(@Nullable Object[] arguments) {
        for (int i = 0; i < arguments.length; i++) {
            Object argument = arguments[i];
            if (argument instanceof Reader || argument instanceof InputStream) {
                readOnce = true;
            } else if (argument != null && isChangeable(argument)) {
                @Nullable Object[] copy = arguments.clone();
                for (int j = i; j < copy.length; j++) {
                    copy[j] = copyOf(copy[j]);
                }
                return copy;
            }
        }
        return arguments;
    }

    private static boolean isChangeable(Object argument) {
        return argument instanceof Date
                || argument instanceof Calendar
                || argument.getClass().isArray();
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

    /** Of the batch, since it was executed last. */
    int rows() {
        return executed ? 0 : rows;
    }

    /** A parameter that was set last, if it is a text; else null. */
    @Nullable
    String text(int parameter) {
        for (int i = size - 2; i >= 0; i -= 2) {
            @Nullable Object[] arguments = (@Nullable Object[]) calls[i + 1];
            if (arguments != null
                    && arguments.length > 1
                    && Integer.valueOf(parameter).equals(arguments[0])) {
                return arguments[1] instanceof String text ? text : null;
            }
        }
        return null;
    }

    /** Whether all can be noted. */
    boolean hasRoom() {
        return size < 2 * MOST_CALLS;
    }

    /** Whether a call sets something. */
    static boolean isSetting(Method method) {
        String name = method.getName();
        return name.startsWith("set") || name.startsWith("register") || name.startsWith("clear") || isRow(name);
    }

    /** Whether nothing can be read only once, and it is not too much. */
    boolean areRepeatable() {
        return !readOnce && !tooMany;
    }

    /** The statement was executed; its batch, if there was one, is empty now. */
    void executed() {
        executed = true;
    }

    private void forgetExecuted() {
        if (executed) {
            executed = false;
            forgetOutdated();
        }
    }

    private void forgetOutdated() {
        if (rows == 0 && size < Math.max(2 * FEW_CALLS, 2 * compactedTo)) {
            return;
        }
        int kept = keepLast();
        int length = size - kept;
        System.arraycopy(calls, kept, calls, 0, length);
        Arrays.fill(calls, length, size, null);
        if (calls.length > MOST_KEPT) {
            calls = Arrays.copyOf(calls, Math.max(8, length));
        }
        size = length;
        rows = 0;
        tooMany = false;
        compactedTo = length;
    }

    /**
     * Moves the last call of each kind to the end, in their order; returns where they begin. Of a batch it mostly looks at the
     * last row only, which has set all parameters.
     */
    private int keepLast() {
        LastCalls last = new LastCalls();
        int kept = size;
        for (int i = size - 2; i >= 0 && (others || !last.cover(parameters)); i -= 2) {
            Method method = (Method) calls[i];
            if (method != null && !isRow(method.getName()) && last.isLast(method, (@Nullable Object[]) calls[i + 1])) {
                calls[--kept] = calls[i + 1];
                calls[--kept] = method;
            }
        }
        return kept;
    }

    /** Tells another statement all that still counts: of a batch that was executed, no row. */
    void repeatOn(Statement statement) throws Throwable {
        forgetExecuted();
        for (int i = 0; i < size; i += 2) {
            Method method = (Method) calls[i];
            if (method != null) {
                DriverCall.forward(statement, method, (@Nullable Object[]) calls[i + 1]);
            }
        }
    }
}
