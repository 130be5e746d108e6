package io.github.shardedid.topology;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The schemas that are part of every search path: those of extensions, whose operators, functions and types must be visible in
 * each shard. A path names a shard's schema first, or none, then these. It does not name {@code pg_temp}, so that temporary tables
 * come first, as in any session. Immutable and safe for use by several threads.
 *
 * @param names in the order of the path, unquoted; empty for {@link #AUTOMATIC}
 */
public record CommonSchemas(List<String> names) {
    /** {@code public}, and the schemas that hold extensions, as the catalog of each database says. */
    public static final CommonSchemas AUTOMATIC = new CommonSchemas(List.of());

    private static final Pattern SHARD = Pattern.compile("shard_\\d{4,}.*");

    /** Uses qualified names, since it must work under any search path. */
    private static final String OF_EXTENSIONS =
            """
            SELECT pg_catalog.string_agg(pg_catalog.quote_ident(n.nspname), ', ' ORDER BY n.nspname <> 'public', n.nspname)
            FROM pg_catalog.pg_namespace n
            WHERE n.nspname = 'public' OR n.nspname NOT IN ('pg_catalog', 'information_schema', 'sharded_id')
              AND n.nspname OPERATOR(pg_catalog.!~) '^shard_[0-9]{4,}'
              AND EXISTS (SELECT FROM pg_catalog.pg_extension e WHERE e.extnamespace = n.oid)""";

    /**
     * Copies the list.
     *
     * @throws IllegalArgumentException if a name is blank, belongs to a shard or to sharded-id, or is temporary
     */
    public CommonSchemas {
        names = List.copyOf(names);
        for (String name : names) {
            boolean own = SHARD.matcher(name).matches() || name.equals("sharded_id");
            if (name.isBlank() || own || name.startsWith("pg_temp")) {
                throw new IllegalArgumentException("'" + name + "' cannot be a common schema of all shards."
                        + " Name the schemas of extensions, such as public.");
            }
        }
    }

    /**
     * A SQL expression for the part of a search path that names these schemas, quoted where necessary. Its value is never null
     * or empty, and does not depend on the current search path.
     *
     * @return a scalar expression of type {@code text}
     */
    public String sql() {
        return names.isEmpty()
                ? "coalesce((" + OF_EXTENSIONS + "), 'public')"
                : "pg_catalog.concat_ws(', ', "
                        + names.stream()
                                .map(name -> "pg_catalog.quote_ident('" + name.replace("'", "''") + "')")
                                .collect(Collectors.joining(", "))
                        + ")";
    }

    /**
     * A search path that names a schema first.
     *
     * @param schema of a shard, or of the global entities
     * @param common what {@link #sql()} has returned
     * @return what may follow {@code SET search_path TO}
     */
    public static String path(String schema, String common) {
        return schema + ", " + common;
    }
}
