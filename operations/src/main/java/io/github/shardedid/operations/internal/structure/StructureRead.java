package io.github.shardedid.operations.internal.structure;

import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the structures of schemas that are to be compared. The names of the schemas are replaced by a placeholder. */
public final class StructureRead {
    private static final int SQL_BODIES_SINCE = 14;
    private static final int MAINTAIN_SINCE = 17;
    private static final String SCHEMA = "{schema}";

    private final Pattern names;
    private final int lowestMajor;
    private final Set<String> identities;

    /**
     * Prepares to read.
     *
     * @param schemas the names of the schemas to be compared
     * @param lowestMajor the lowest major version of the servers; privileges that it does not know are not read
     * @param identities tables whose replica identity is not read
     */
    public StructureRead(Collection<String> schemas, int lowestMajor, Set<String> identities) {
        // The longer name first, because it may begin with the other.
        String either = schemas.stream()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .map(Pattern::quote)
                .collect(Collectors.joining("|"));
        this.names = Pattern.compile("\"(?:" + either + ")\"|\\b(?:" + either + ")\\b");
        this.lowestMajor = lowestMajor;
        this.identities = Set.copyOf(identities);
    }

    /**
     * Reads a schema, which must exist. Restores the settings of the session.
     *
     * @return for each object, such as "table photo", its aspects, such as "column caption", with their values as text
     */
    public Map<String, Map<String, String>> of(Connection connection, String schema) throws SQLException {
        List<@Nullable String> before = Sql.rows(
                        connection, "SELECT current_setting('search_path'), current_setting('quote_all_identifiers')")
                .get(0);
        set(connection, Sql.name(schema), "off");
        try {
            return read(connection, schema);
        } finally {
            set(connection, before.get(0), before.get(1));
        }
    }

    /** Reads the schema of a shard to compare it with those of other shards: its functions without the number of the shard. */
    public static Map<String, Map<String, String>> ofShard(Connection connection, int shard, int lowestMajor)
            throws SQLException {
        String schema = ShardSchema.nameOf(shard);
        Map<String, Map<String, String>> objects =
                new StructureRead(List.of(schema), lowestMajor, Set.of()).of(connection, schema);
        Pattern number = Pattern.compile("(?<=\\(\\$1, )" + shard + "(?=[,)])");
        objects.forEach((object, aspects) -> {
            if (object.startsWith("function next_id")) {
                aspects.replaceAll((aspect, text) -> number.matcher(text).replaceAll("{shard}"));
            }
        });
        return objects;
    }

    private static void set(Connection connection, @Nullable String searchPath, @Nullable String quoting)
            throws SQLException {
        Sql.rows(
                connection,
                "SELECT set_config('search_path', ?, false), set_config('quote_all_identifiers', ?, false)",
                searchPath,
                quoting);
    }

    private Map<String, Map<String, String>> read(Connection connection, String schema) throws SQLException {
        Map<String, Map<String, String>> objects = new TreeMap<>();
        for (List<@Nullable String> row : Sql.rows(connection, sql(connection, schema))) {
            objects.computeIfAbsent(anonymous(row.get(0)), object -> new TreeMap<>())
                    .put(anonymous(row.get(1)), anonymous(row.get(2)));
        }
        return objects;
    }

    private String sql(Connection connection, String schema) throws SQLException {
        int major = connection.getMetaData().getDatabaseMajorVersion();
        String tables = identities.stream().map(Sql::literal).collect(Collectors.joining(", ", "ARRAY[", "]::name[]"));
        return Sql.load(StructureRead.class, "structure.sql")
                .replace("${schema}", "(SELECT oid FROM pg_namespace WHERE nspname = " + Sql.literal(schema) + ")")
                .replace("${identities}", tables)
                .replace("${sqlbody}", major >= SQL_BODIES_SINCE ? "pg_get_function_sqlbody(proc.oid)" : "NULL")
                .replace("${maintain}", Boolean.toString(lowestMajor >= MAINTAIN_SINCE));
    }

    private String anonymous(@Nullable String text) {
        return text == null ? "" : names.matcher(text).replaceAll(Matcher.quoteReplacement(SCHEMA));
    }
}
