package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.internal.sql.SchemaPlaceholder;
import io.github.shardedid.routing.internal.sql.SqlKeywords;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Array;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PGobject;

/**
 * Names the types of a shard, which the application gives to the driver, with the shard's schema.
 *
 * <p>The driver looks a name up by the search path when it meets it for the first time, and keeps what it found
 * for the session. The session serves other shards later, whose types of that name have other numbers:
 * PostgreSQL would refuse the value, or take it for one of the first shard. With the schema, the names differ.
 */
public final class ShardTypes {
    /**
     * The names that mean PostgreSQL's own types, of which no database has to be asked. A type of the
     * application with such a name would hide behind PostgreSQL's under any path.
     */
    private static final Set<String> BUILT_IN = SqlKeywords.words(
            """
            bigint int8 integer int int4 smallint int2 numeric decimal real float4 float8 boolean bool text varchar bpchar char name
            bytea uuid json jsonb jsonpath xml date time timetz timestamp timestamptz interval bit varbit inet cidr macaddr macaddr8
            money oid point line lseg box path polygon circle tsvector tsquery int4range int8range numrange tsrange tstzrange daterange
            int4multirange int8multirange nummultirange tsmultirange tstzmultirange datemultirange refcursor unknown record
            """);

    private static final String PLACEHOLDER = SchemaPlaceholder.OF_SHARD + ".";

    private ShardTypes() {}

    /** Returns a parameter as the driver may have it: with the schema, if its type is one of the shard. */
    public static @Nullable Object named(@Nullable Object value, String schema, PhysicalConnection physical)
            throws SQLException {
        if (value instanceof Array array && array.getBaseTypeName() != null) {
            String type = named(array.getBaseTypeName(), schema, physical);
            return type.equals(array.getBaseTypeName()) ? array : named(array, type);
        } else if (!(value instanceof PGobject object)
                || value.getClass() != PGobject.class
                || object.getType() == null) {
            return value;
        } else {
            String type = named(object.getType(), schema, physical);
            if (type.equals(object.getType())) {
                return value;
            }
            PGobject qualified = new PGobject();
            qualified.setType(type);
            qualified.setValue(object.getValue());
            return qualified;
        }
    }

    /**
     * Returns an array whose type has another name. The driver looks up the name of an array's type, which has
     * no schema if the session has read the type under the shard's path.
     */
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

    /**
     * Returns the name of a type with the schema, if it is one of the shard; as it is if it is PostgreSQL's, or
     * has a schema.
     */
    public static String named(String type, String schema, PhysicalConnection physical) throws SQLException {
        if (type.startsWith(PLACEHOLDER)) {
            return quoted(schema) + "." + quoted(type.substring(PLACEHOLDER.length()));
        }
        String lower = type.toLowerCase(Locale.ROOT);
        if (BUILT_IN.contains(lower) || type.indexOf('.') >= 0 || type.indexOf('"') >= 0) {
            return type;
        }
        String qualified = quoted(schema) + "." + quoted(lower);
        Map<String, String> known = physical.session().typeNames;
        String name = known.get(qualified);
        if (name == null) {
            name = exists(qualified, physical) ? qualified : type;
            known.put(qualified, name);
        }
        return name;
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    /** Returns whether the shard's schema has a type, with one round trip for each type and session. */
    private static boolean exists(String type, PhysicalConnection physical) throws SQLException {
        // What is not found in the shard's schema must not be found in that of another one.
        physical.pathAlignment().align(null, false, null);
        return physical.isTrue("SELECT pg_catalog.to_regtype(?) IS NOT NULL", type);
    }
}
