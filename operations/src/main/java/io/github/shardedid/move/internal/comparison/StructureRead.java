package io.github.shardedid.move.internal.comparison;

import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads structures so that those of two schemas can be compared: the schemas' own names, wherever they stand, are replaced by
 * one and the same word.
 */
final class StructureRead {
    private static final int SQL_BODIES_SINCE = 14;
    private static final int MAINTAIN_SINCE = 17;
    private static final String SCHEMA = "{schema}";
    private static final List<String> SETTINGS = List.of("search_path", "quote_all_identifiers");

    private final Pattern names;
    private final int lowestMajor;
    private final Set<String> identities;

    /**
     * Prepares to read.
     *
     * @param schemas the names of the schemas to be compared
     * @param lowestMajor of the servers' major versions the lower one; a privilege that it does not know is not read
     * @param identities tables whose replica identity is not read
     */
    StructureRead(Collection<String> schemas, int lowestMajor, Set<String> identities) {
        // The longer name first, as one may begin with the other.
        String either = String.join(
                "|",
                schemas.stream()
                        .sorted(Comparator.comparingInt(String::length).reversed())
                        .map(Pattern::quote)
                        .toList());
        this.names = Pattern.compile("\"(?:" + either + ")\"|\\b(?:" + either + ")\\b");
        this.lowestMajor = lowestMajor;
        this.identities = Set.copyOf(identities);
    }

    /** Reads a schema, which must exist. Settings of the session are as before afterwards. */
    StructureSnapshot of(Connection connection, String schema) throws SQLException {
        Map<String, String> before = new HashMap<>();
        for (String setting : SETTINGS) {
            before.put(setting, current(connection, setting));
        }
        set(connection, "search_path", Sql.name(schema));
        set(connection, "quote_all_identifiers", "off");
        try {
            return read(connection, schema);
        } finally {
            for (String setting : SETTINGS) {
                set(connection, setting, Objects.requireNonNull(before.get(setting)));
            }
        }
    }

    private StructureSnapshot read(Connection connection, String schema) throws SQLException {
        Map<String, Map<String, String>> objects = new TreeMap<>();
        try (Statement select = connection.createStatement()) {
            select.setEscapeProcessing(false);
            try (ResultSet row = select.executeQuery(sql(connection, schema))) {
                while (row.next()) {
                    String value = row.getString("value");
                    objects.computeIfAbsent(anonymous(row.getString("object")), object -> new TreeMap<>())
                            .put(anonymous(row.getString("aspect")), value == null ? "" : anonymous(value));
                }
            }
        }
        return new StructureSnapshot(objects);
    }

    private String sql(Connection connection, String schema) throws SQLException {
        int major = connection.getMetaData().getDatabaseMajorVersion();
        String tables = "'{"
                + String.join(
                        ",", identities.stream().map(StructureRead::element).toList()) + "}'::name[]";
        return Sql.load(StructureRead.class, "structure.sql")
                .replace("${schema}", "(SELECT oid FROM pg_namespace WHERE nspname = " + Sql.literal(schema) + ")")
                .replace("${identities}", tables)
                .replace("${sqlbody}", major >= SQL_BODIES_SINCE ? "pg_get_function_sqlbody(proc.oid)" : "NULL")
                .replace("${maintain}", Boolean.toString(lowestMajor >= MAINTAIN_SINCE));
    }

    private String anonymous(String text) {
        return names.matcher(text).replaceAll(Matcher.quoteReplacement(SCHEMA));
    }

    private static String element(String name) {
        String quoted = name.replace("\\", "\\\\").replace("\"", "\\\"").replace("'", "''");
        return '"' + quoted + '"';
    }

    private static String current(Connection connection, String setting) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("SELECT current_setting(?)")) {
            select.setString(1, setting);
            try (ResultSet row = select.executeQuery()) {
                row.next();
                return row.getString(1);
            }
        }
    }

    private static void set(Connection connection, String setting, String value) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("SELECT set_config(?, ?, false)")) {
            select.setString(1, setting);
            select.setString(2, value);
            select.execute();
        }
    }
}
