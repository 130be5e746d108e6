package io.github.shardedid.hibernate.internal.checks;

import io.github.shardedid.routing.RoutingDataSource;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.hibernate.boot.model.relational.Database;
import org.hibernate.boot.model.relational.internal.SqlStringGenerationContextImpl;
import org.hibernate.generator.GeneratorCreationContext;
import org.jspecify.annotations.Nullable;

/**
 * A context that creates generators with the default schema of the global database. A proxy, because the interface has types that
 * may not be on the class path.
 */
record InGlobalSchema(GeneratorCreationContext context) implements InvocationHandler {
    private static final String SCHEMA = RoutingDataSource.GLOBAL_PLACEHOLDER;

    static GeneratorCreationContext of(GeneratorCreationContext context) {
        return (GeneratorCreationContext) Proxy.newProxyInstance(
                InGlobalSchema.class.getClassLoader(),
                new Class<?>[] {GeneratorCreationContext.class},
                new InGlobalSchema(context));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (method.getName().equals("getDefaultSchema")) {
            return SCHEMA;
        }
        if (method.getName().equals("getSqlStringGenerationContext")) {
            Database database = context.getDatabase();
            return SqlStringGenerationContextImpl.fromExplicit(
                    database.getJdbcEnvironment(), database, context.getDefaultCatalog(), SCHEMA);
        }
        try {
            return method.invoke(context, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }
}
