package io.github.shardedid.provisioning.internal.liquibase;

import java.lang.reflect.Constructor;
import java.util.HashMap;
import java.util.Map;
import liquibase.Scope;
import liquibase.SingletonObject;
import liquibase.SingletonScopeManager;
import liquibase.exception.UnexpectedLiquibaseException;
import liquibase.resource.ClassLoaderResourceAccessor;
import liquibase.resource.ResourceAccessor;
import liquibase.ui.LoggerUIService;
import org.jspecify.annotations.Nullable;

/**
 * A scope with services of its own. Liquibase has one set for the whole JVM, which keeps the history of a database by its connection: that of
 * one schema would be taken for the next one's, and another use of Liquibase resets it at its end.
 */
final class OwnScope extends Scope {
    private final Map<Class<?>, SingletonObject> services = new HashMap<>();

    private OwnScope(Scope parent) {
        super(parent, Map.of());
    }

    /** Runs Liquibase in a scope of its own, and restores that of the thread. Messages go to the log, not to the console. */
    static <T> T call(@Nullable ClassLoader resources, Scope.ScopedRunnerWithReturn<T> work) throws Exception {
        Scope before = Scope.getCurrentScope();
        Scope.setScopeManager(new CurrentScope(new OwnScope(rootOf(before))));
        try (ResourceAccessor files = new ClassLoaderResourceAccessor(
                resources == null ? Thread.currentThread().getContextClassLoader() : resources)) {
            return Scope.child(
                    Map.of(Scope.Attr.resourceAccessor.name(), files, Scope.Attr.ui.name(), new LoggerUIService()),
                    work);
        } finally {
            Scope.setScopeManager(new CurrentScope(before));
        }
    }

    /** What another use has set in its scopes does not hold here. */
    private static Scope rootOf(Scope scope) {
        Scope root = scope;
        while (root.getParent() != null) {
            root = root.getParent();
        }
        return root;
    }

    /** Creates services as Liquibase does. */
    @Override
    public synchronized <T extends SingletonObject> T getSingleton(Class<T> type) {
        SingletonObject known = services.get(type);
        if (known == null) {
            known = create(type);
            services.put(type, known);
        }
        return type.cast(known);
    }

    private <T extends SingletonObject> T create(Class<T> type) {
        try {
            Constructor<?> constructor = type.getDeclaredConstructors()[0];
            constructor.setAccessible(true);
            return type.cast(
                    constructor.getParameterCount() == 0 ? constructor.newInstance() : constructor.newInstance(this));
        } catch (ReflectiveOperationException e) {
            throw new UnexpectedLiquibaseException(e);
        }
    }

    /** A manager cannot be asked for, only its scope. */
    private static final class CurrentScope extends SingletonScopeManager {
        CurrentScope(Scope current) {
            setCurrentScope(current);
        }
    }
}
