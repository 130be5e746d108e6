package io.github.shardedid.spring.data.repository;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.data.util.Streamable;

/**
 * Arguments that are read twice: for the route, and by the method. An {@code Iterable} over an iterator or a stream can be read only
 * once.
 */
public final class RepeatableArguments {
    private RepeatableArguments() {}

    /**
     * Replaces an argument that may be readable only once by a list of its elements, if the type of the parameter allows it.
     *
     * @param method the method that is called
     * @param arguments its arguments
     * @param index the parameter, from 0
     * @return the argument, which can be read more than once
     */
    public static @Nullable Object read(Method method, @Nullable Object[] arguments, int index) {
        Object argument = arguments[index];
        if (argument instanceof Iterable<?> elements && !(argument instanceof Collection)) {
            Class<?> type = method.getParameterTypes()[index];
            if (type.isAssignableFrom(ArrayList.class)) {
                arguments[index] = copy(elements);
            } else if (type == Streamable.class) {
                arguments[index] = Streamable.of(copy(elements));
            }
        }
        return arguments[index];
    }

    private static List<Object> copy(Iterable<?> elements) {
        List<Object> copy = new ArrayList<>();
        elements.forEach(copy::add);
        return copy;
    }
}
