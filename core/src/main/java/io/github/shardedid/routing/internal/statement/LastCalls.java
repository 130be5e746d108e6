package io.github.shardedid.routing.internal.statement;

import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells, of calls that are looked at from the last one backwards, which of them no later one has replaced. */
final class LastCalls {
    /** Parameters with these numbers need no memory of their own: each batch of rows is looked through. */
    private static final int FEW = Long.SIZE;

    private long few;
    private boolean cleared;
    private final Set<Object> others = new HashSet<>();

    private record Parameter(Object indexOrName) {}

    /** The bit of the parameter that a call sets; 0 if it sets something else, or a parameter that has no bit. */
    static long bit(Method method, @Nullable Object @Nullable [] arguments) {
        return arguments != null
                        && arguments.length > 1
                        && arguments[0] instanceof Integer index
                        && index >= 0
                        && index < FEW
                        && method.getName().startsWith("set")
                ? 1L << index
                : 0;
    }

    /** Whether a later call has set each of these parameters, so that of earlier ones nothing is left. */
    boolean cover(long parameters) {
        return (few & parameters) == parameters;
    }

    /** Whether what a call sets is still so after all the later ones. */
    boolean isLast(Method method, @Nullable Object @Nullable [] arguments) {
        String name = method.getName();
        if (name.startsWith("clear")) {
            cleared |= name.equals("clearParameters");
            return false;
        }
        Object first = arguments == null || arguments.length < 2 ? null : arguments[0];
        if (first == null) {
            return others.add(name);
        } else if (!name.startsWith("set")) {
            return others.add(name + first);
        }
        long bit = bit(method, arguments);
        boolean seen = cleared || (few & bit) != 0;
        few |= cleared ? 0 : bit;
        return !seen && (bit != 0 || others.add(new Parameter(first)));
    }
}
