package io.github.shardedid.routing.internal.session;

import io.github.shardedid.routing.internal.sql.SchemaPlaceholder;
import io.github.shardedid.routing.internal.sql.SqlKeywords;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PGobject;

/**
 * The names of types that the application gives to the driver, for one session. The driver looks such a name up by the search path when
 * it meets it for the first time, and keeps what it found; so a type of a shard is named with its schema. For one thread at a time.
 */
public final class OwnTypes {
    private static final Set<String> BUILT_IN = SqlKeywords.words(
            """
            bigint int8 integer int int4 smallint int2 numeric decimal real float4 float8 boolean bool text varchar bpchar char name
            bytea uuid json jsonb jsonpath xml date time timetz timestamp timestamptz interval bit varbit inet cidr macaddr macaddr8
            money oid point line lseg box path polygon circle tsvector tsquery int4range int8range numrange tsrange tstzrange daterange
            int4multirange int8multirange nummultirange tsmultirange tstzmultirange datemultirange refcursor unknown record
            """);

    private static final String PLACEHOLDER = SchemaPlaceholder.OF_SHARD + ".";
    private final Map<String, String> known = new HashMap<>();

    /** Asks the database for a type. */
    @FunctionalInterface
    public interface Lookup {
        boolean exists(String qualifiedName) throws SQLException;
    }

    /** A parameter as the driver may have it: with the schema, if its type is one of the shard. */
    @Nullable
    public Object named(@Nullable Object value, String schema, Lookup lookup) throws SQLException {
        if (!(value instanceof PGobject object) || value.getClass() != PGobject.class || object.getType() == null) {
            return value;
        }
        String type = named(object.getType(), schema, lookup);
        if (type.equals(object.getType())) {
            return value;
        }
        PGobject qualified = new PGobject();
        qualified.setType(type);
        qualified.setValue(object.getValue());
        return qualified;
    }

    /** The name of a type with the schema, if it is one of the shard; as it is if it is PostgreSQL's, or has a schema. */
    public String named(String type, String schema, Lookup lookup) throws SQLException {
        if (type.startsWith(PLACEHOLDER)) {
            return quoted(schema) + "." + quoted(type.substring(PLACEHOLDER.length()));
        }
        String lower = type.toLowerCase(Locale.ROOT);
        if (BUILT_IN.contains(lower) || type.indexOf('.') >= 0 || type.indexOf('"') >= 0) {
            return type;
        }
        String qualified = quoted(schema) + "." + quoted(lower);
        String name = known.get(qualified);
        if (name == null) {
            name = lookup.exists(qualified) ? qualified : type;
            known.put(qualified, name);
        }
        return name;
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
