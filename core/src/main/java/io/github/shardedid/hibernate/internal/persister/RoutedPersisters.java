package io.github.shardedid.hibernate.internal.persister;

import static net.bytebuddy.matcher.ElementMatchers.any;
import static net.bytebuddy.matcher.ElementMatchers.isConstructor;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArgument;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.NamingStrategy;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.modifier.Visibility;
import net.bytebuddy.dynamic.loading.ClassLoadingStrategy;
import net.bytebuddy.implementation.MethodCall;
import net.bytebuddy.implementation.MethodDelegation;
import net.bytebuddy.implementation.SuperMethodCall;
import net.bytebuddy.implementation.bind.annotation.AllArguments;
import net.bytebuddy.implementation.bind.annotation.Morph;
import net.bytebuddy.implementation.bind.annotation.Origin;
import net.bytebuddy.implementation.bind.annotation.RuntimeType;
import net.bytebuddy.matcher.ElementMatcher;
import org.hibernate.LockOptions;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.mapping.Collection;
import org.hibernate.persister.collection.BasicCollectionPersister;
import org.hibernate.persister.collection.CollectionPersister;
import org.hibernate.persister.collection.OneToManyPersister;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.persister.entity.JoinedSubclassEntityPersister;
import org.hibernate.persister.entity.SingleTableEntityPersister;
import org.hibernate.persister.entity.UnionSubclassEntityPersister;
import org.hibernate.persister.internal.StandardPersisterClassResolver;
import org.jspecify.annotations.Nullable;

/**
 * Selects the routed persisters: subclasses of Hibernate's five persisters, which pass the methods that read or write to
 * {@link RoutedEntity} and {@link RoutedCollection}. They are generated, because Hibernate requires subclasses, and in source code those of
 * entities would differ in the name of their superclass only.
 *
 * <p>The methods are named one by one, with the overload that all others call: an outer overload would be routed
 * twice. A method that is missing would leave reads in the open scope.
 */
public final class RoutedPersisters extends StandardPersisterClassResolver {
    private static final List<String> OF_ENTITIES = List.of(
            "generateLocker",
            "getDatabaseSnapshot",
            "getCurrentVersion",
            "forceVersionIncrement",
            "processInsertGeneratedProperties",
            "processUpdateGeneratedProperties",
            "initializeEnhancedEntityUsedAsProxy",
            "createProxy",
            "resolveConcreteProxyTypeForId",
            "getInsertCoordinator",
            "getUpdateCoordinator",
            "getMergeCoordinator",
            "getDeleteCoordinator",
            "getSqmMultiTableMutationStrategy",
            "getSqmMultiTableInsertStrategy",
            "load",
            "multiLoad",
            "loadByUniqueKey",
            "initializeLazyProperty");

    private static final List<String> OF_COLLECTIONS = List.of(
            "initialize",
            "recreate",
            "deleteRows",
            "insertRows",
            "updateRows",
            "processQueuedOps",
            "getSize",
            "elementExists",
            "indexExists",
            "getElementByIndex",
            "remove");

    /** Of methods with several overloads, the one that all others call. */
    @SuppressWarnings({"deprecation", "removal"}) // LockOptions: the signatures that Hibernate 7 calls
    private static final Map<String, ElementMatcher<MethodDescription>> OVERLOADS = Map.of(
            "load", takesArgument(2, LockOptions.class),
            "multiLoad", takesArgument(1, SharedSessionContractImplementor.class),
            "loadByUniqueKey", takesArguments(4),
            "initializeLazyProperty", takesArguments(3),
            "remove", takesArguments(2));

    private static final Class<? extends EntityPersister> SINGLE_TABLE =
            generated(SingleTableEntityPersister.class, OF_ENTITIES, RoutedEntity.class, 3);
    private static final Class<? extends EntityPersister> JOINED =
            generated(JoinedSubclassEntityPersister.class, OF_ENTITIES, RoutedEntity.class, 3);
    private static final Class<? extends EntityPersister> UNION =
            generated(UnionSubclassEntityPersister.class, OF_ENTITIES, RoutedEntity.class, 3);
    private static final Class<? extends CollectionPersister> ONE_TO_MANY =
            generated(OneToManyPersister.class, OF_COLLECTIONS, RoutedCollection.class, 2);
    private static final Class<? extends CollectionPersister> BASIC =
            generated(BasicCollectionPersister.class, OF_COLLECTIONS, RoutedCollection.class, 2);

    /**
     * Executes the methods of a generated persister.
     *
     * <p>The annotations are those of Byte Buddy, by which it knows the arguments.
     */
    interface Methods {
        /**
         * Executes a method.
         *
         * @param target the method of the superclass
         */
        @RuntimeType
        @Nullable
        Object execute(@Origin Method method, @AllArguments @Nullable Object[] arguments, @Morph Original target);
    }

    /** A method of Hibernate's persister. Public for generated classes. */
    public interface Original {
        @Nullable
        Object call(@Nullable Object[] arguments);
    }

    /**
     * Generates a persister.
     *
     * <p>The field is set after the constructor of the superclass, which therefore must call none of the listed
     * methods. The classes are defined in this package by its own lookup, which needs no reflection into other
     * modules.
     *
     * @param methods created with the persister, and with the context that is an argument of its constructor
     * @param persister the class of Hibernate
     * @param routed the names of the methods to pass on
     * @param context the position of the context among the arguments of the constructor
     */
    private static <P> Class<? extends P> generated(
            Class<P> persister, List<String> routed, Class<?> methods, int context) {
        Class<? extends P> generated = new ByteBuddy()
                .with(new NamingStrategy.SuffixingRandom(
                        "Routed",
                        new NamingStrategy.Suffixing.BaseNameResolver.ForFixedValue(
                                RoutedPersisters.class.getPackageName() + "." + persister.getSimpleName())))
                .subclass(persister)
                .defineField("routed", Methods.class, Visibility.PRIVATE)
                .constructor(isConstructor())
                .intercept(SuperMethodCall.INSTANCE.andThen(MethodCall.construct(methods.getDeclaredConstructors()[0])
                        .withThis()
                        .withArgument(context)
                        .setsField(named("routed"))))
                .method(method -> routed.contains(method.getName())
                        && OVERLOADS.getOrDefault(method.getName(), any()).matches(method))
                .intercept(MethodDelegation.withDefaultConfiguration()
                        .withBinders(Morph.Binder.install(Original.class))
                        .toField("routed"))
                .make()
                .load(
                        RoutedPersisters.class.getClassLoader(),
                        ClassLoadingStrategy.UsingLookup.of(MethodHandles.lookup()))
                .getLoaded();
        requireAll(persister, generated, routed);
        return generated;
    }

    /**
     * Refuses another Hibernate than this is made for: a method that is not overridden would read or write in the open scope.
     *
     * @param routed the names of the methods, each of which the generated class has to override
     * @throws IllegalStateException if one is missing
     */
    static void requireAll(Class<?> persister, Class<?> generated, List<String> routed) {
        Set<String> missing = new TreeSet<>(routed);
        for (Method method : generated.getDeclaredMethods()) {
            missing.remove(method.getName());
        }
        if (!missing.isEmpty()) {
            throw new IllegalStateException(persister.getName() + " has no methods " + missing
                    + " that could be routed. Use the release of Hibernate ORM that the library is made for.");
        }
    }

    @Override
    public Class<? extends EntityPersister> singleTableEntityPersister() {
        return SINGLE_TABLE;
    }

    @Override
    public Class<? extends EntityPersister> joinedSubclassEntityPersister() {
        return JOINED;
    }

    @Override
    public Class<? extends EntityPersister> unionSubclassEntityPersister() {
        return UNION;
    }

    @Override
    public Class<? extends CollectionPersister> getCollectionPersisterClass(Collection metadata) {
        return metadata.isOneToMany() ? ONE_TO_MANY : BASIC;
    }
}
