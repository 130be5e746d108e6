package io.github.shardedid.hibernate.internal.routing;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Objects of Hibernate with other behaviour of some methods, where a class would only pass on all the others.
 *
 * <p>Hibernate's interfaces gain methods in minor releases. A proxy passes them on without being compiled again; a
 * class that implements the interface would lack them.
 */
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

    /**
     * Returns an object that executes each method of an interface as given.
     *
     * <p>The original object is never changed. An exception of one of its methods reaches the caller as it is.
     *
     * @param type the interface of the result
     * @param original executes what is not overridden
     * @param methods called for each method, those of {@code Object} included
     */
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

    /** The exceptions are those that the interface declares. The compiler does not see that. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <X extends Throwable> X unchecked(Throwable thrown) throws X {
        throw (X) thrown;
    }
}
