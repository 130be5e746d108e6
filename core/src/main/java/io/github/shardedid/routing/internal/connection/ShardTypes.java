package io.github.shardedid.routing.internal.connection;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Names types that are defined in the schema of a shard. */
public final class ShardTypes {
    private ShardTypes() {}

    /** A parameter as the driver may have it: with the schema, if its type is one of the shard. */
    public static @Nullable Object named(@Nullable Object value, String schema, PhysicalConnection physical)
            throws SQLException {
        if (value instanceof Array array && array.getBaseTypeName() != null) {
            String type = named(array.getBaseTypeName(), schema, physical);
            return type.equals(array.getBaseTypeName()) ? array : named(array, type);
        }
        return physical.session().types().named(value, schema, name -> exists(name, physical));
    }

    /** The driver looks up the name of an array's type, which has no schema if the session has read the type under the shard's path. */
    private static Array named(Array array, String type) {
        return (Array) Proxy.newProxyInstance(
                ShardTypes.class.getClassLoader(), new Class<?>[] {Array.class}, (proxy, method, arguments) -> {
                    try {
                        return method.getName().equals("getBaseTypeName") ? type : method.invoke(array, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause() == null ? e : e.getCause();
                    }
                });
    }

    /** The name of a type with the schema, if it is one of the shard; as it is if it is PostgreSQL's, or has a schema. */
    public static String named(String type, String schema, PhysicalConnection physical) throws SQLException {
        return physical.session().types().named(type, schema, name -> exists(name, physical));
    }

    private static boolean exists(String type, PhysicalConnection physical) throws SQLException {
        // What is not found in the shard's schema must not be found in that of another one.
        physical.pathAlignment().align(null, false);
        boolean[] found = new boolean[1];
        physical.attempt(connection -> {
            try (PreparedStatement query = connection.prepareStatement("SELECT pg_catalog.to_regtype(?) IS NOT NULL")) {
                query.setString(1, type);
                try (ResultSet row = query.executeQuery()) {
                    row.next();
                    found[0] = row.getBoolean(1);
                }
            }
        });
        return found[0];
    }
}
