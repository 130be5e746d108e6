package io.github.shardedid.hibernate.internal.routing;

import static net.bytebuddy.matcher.ElementMatchers.isDeclaredBy;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.not;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.NamingStrategy;
import net.bytebuddy.description.modifier.FieldManifestation;
import net.bytebuddy.description.modifier.Visibility;
import net.bytebuddy.dynamic.loading.ClassLoadingStrategy;
import net.bytebuddy.dynamic.scaffold.subclass.ConstructorStrategy;
import net.bytebuddy.implementation.FieldAccessor;
import net.bytebuddy.implementation.MethodCall;
import net.bytebuddy.implementation.MethodDelegation;
import net.bytebuddy.implementation.bind.annotation.AllArguments;
import net.bytebuddy.implementation.bind.annotation.Origin;
import net.bytebuddy.implementation.bind.annotation.Pipe;
import net.bytebuddy.implementation.bind.annotation.RuntimeType;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.EventType;
import org.jspecify.annotations.Nullable;

/**
 * Objects of Hibernate with other behaviour of some methods, where a class would only pass on all the others.
 *
 * <p>Hibernate's interfaces gain methods in minor releases. A generated class passes them on without being compiled
 * again; a written one would lack them. Calls by {@link java.lang.reflect.Proxy} were a tenth of a find by id.
 */
public final class Overridden {
    /** Creates the objects of each interface: its class is generated once. */
    private static final Map<Class<?>, Constructor<?>> GENERATED = new ConcurrentHashMap<>();

    private Overridden() {}

    /** Executes the methods of an object. Public for generated classes. */
    public interface Methods {
        /**
         * Executes a method. The annotations are those of Byte Buddy, by which it knows the arguments.
         *
         * @param call executes the method of the original object
         */
        @RuntimeType
        @Nullable
        Object call(@Origin Method method, @AllArguments @Nullable Object[] arguments, @Pipe Original call);
    }

    /** Calls the method that is executed, with its arguments. Public for generated classes. */
    public interface Original {
        @Nullable
        Object on(Object original);
    }

    /**
     * Returns an object that executes some methods of an interface as given, and passes on all others.
     *
     * <p>The original object is never changed. An exception of one of its methods reaches the caller as it is.
     *
     * @param type the interface of the result, which is public, always with the same names. Its first superinterface may be that of the
     *     original object, if all other methods are overridden
     * @param original executes what is not overridden
     * @param methods called for the overridden methods
     * @param names those methods; none for all of the interface
     */
    public static <T> T of(Class<T> type, Object original, Methods methods, String... names) {
        try {
            return type.cast(GENERATED
                    .computeIfAbsent(
                            type,
                            missing -> generated(
                                    missing,
                                    missing.isInstance(original) ? missing : missing.getInterfaces()[0],
                                    Set.of(names)))
                    .newInstance(original, methods));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Replaces each listener of a type by one that wraps it, in the same order. They are set at once, because
     * Hibernate refuses to add a second listener of one class.
     */
    @SuppressWarnings("unchecked")
    public static <L> void wrap(EventListenerRegistry listeners, EventType<L> type, UnaryOperator<L> wrapper) {
        List<L> wrapped = new ArrayList<>();
        listeners
                .getEventListenerGroup(type)
                .fireEventOnEachListener(wrapped, (next, found) -> found.add(wrapper.apply(next)));
        L[] all = wrapped.toArray((L[]) Array.newInstance(type.baseListenerInterface(), 0));
        listeners.setListeners(type, all);
    }

    private static Constructor<?> generated(Class<?> type, Class<?> passed, Set<String> names) {
        try {
            return new ByteBuddy()
                    .with(new NamingStrategy.SuffixingRandom(
                            type.getSimpleName(),
                            new NamingStrategy.Suffixing.BaseNameResolver.ForFixedValue(Overridden.class.getName())))
                    .subclass(Object.class, ConstructorStrategy.Default.NO_CONSTRUCTORS)
                    .implement(type)
                    .defineField("original", passed, Visibility.PRIVATE, FieldManifestation.FINAL)
                    .defineField("methods", Methods.class, Visibility.PRIVATE, FieldManifestation.FINAL)
                    .defineConstructor(Visibility.PUBLIC)
                    .withParameters(passed, Methods.class)
                    .intercept(MethodCall.invoke(Object.class.getConstructor())
                            .andThen(FieldAccessor.ofField("original").setsArgumentAt(0))
                            .andThen(FieldAccessor.ofField("methods").setsArgumentAt(1)))
                    .method(not(isDeclaredBy(Object.class)))
                    .intercept(MethodCall.invokeSelf().onField("original").withAllArguments())
                    .method(not(isDeclaredBy(Object.class))
                            .and(method -> names.isEmpty() || names.contains(method.getName())))
                    .intercept(MethodDelegation.withDefaultConfiguration()
                            .filter(named("call"))
                            .withBinders(Pipe.Binder.install(Original.class))
                            .toField("methods"))
                    .make()
                    .load(
                            Overridden.class.getClassLoader(),
                            ClassLoadingStrategy.UsingLookup.of(MethodHandles.lookup()))
                    .getLoaded()
                    .getConstructor(passed, Methods.class);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }
}
