package io.github.shardedid.hibernate.internal.routing;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Objects of Hibernate with other behaviour of some methods, where a class would only pass on all the others. */
public final class Overridden {
    private Overridden() {}

    /** Executes the methods of an object. */
    public interface Methods {
        /**
         * Executes a method.
         *
         * @param method its name
         * @param original executes the method of the original object
         */
        @Nullable
        Object call(String method, @Nullable Object[] arguments, Supplier<@Nullable Object> original);
    }

    /** Returns an object that executes each method of an interface as given. */
    public static <T> T of(Class<T> type, Object original, Methods methods) {
        return type.cast(Proxy.newProxyInstance(
                Overridden.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    @Nullable Object[] given = arguments == null ? new Object[0] : arguments;
                    return methods.call(method.getName(), given, () -> {
                        try {
                            return method.invoke(original, arguments);
                        } catch (InvocationTargetException e) {
                            throw Overridden.<RuntimeException>unchecked(e.getTargetException());
                        } catch (IllegalAccessException e) {
                            throw new IllegalStateException(e);
                        }
                    });
                }));
    }

    /** The exceptions are those that the interface declares. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <X extends Throwable> X unchecked(Throwable thrown) throws X {
        throw (X) thrown;
    }
}
