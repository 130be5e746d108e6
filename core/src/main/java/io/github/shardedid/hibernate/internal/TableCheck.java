package io.github.shardedid.hibernate.internal;

import io.github.shardedid.hibernate.ShardingSettings;
import io.github.shardedid.hibernate.internal.checks.ColocatedKeys;
import io.github.shardedid.hibernate.internal.mapping.MappedTables;
import io.github.shardedid.hibernate.internal.mapping.MappedTables.MappedTable;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.Target;
import io.github.shardedid.topology.GlobalDatabase;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.hibernate.boot.Metadata;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the mappings with the catalogs: one query per database, for its first shard or for all of its shards. A database that cannot
 * be reached is skipped. Names are compared, types are not.
 *
 * @param validates whether columns are compared too, and what is missing fails the start; otherwise missing tables are logged
 * @param allShards whether all shards are compared
 */
record TableCheck(RoutingDataSource dataSource, boolean validates, boolean allShards) {
    private static final Logger LOG = LoggerFactory.getLogger(TableCheck.class);
    private static final int REPORTED = 100;

    private static final String FOUND =
            " FROM pg_catalog.pg_namespace n JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid";
    private static final String OF_SCHEMAS = " WHERE n.nspname = ANY (?::name[]) AND c.relname = ANY (?::name[])"
            + " AND c.relkind IN ('r', 'p', 'v', 'm', 'f')";
    /** A table itself is the row with an empty column. */
    private static final String TABLES = "SELECT s, t.tab, t.col FROM unnest(?::name[]) s"
            + " CROSS JOIN unnest(?::name[], ?::name[]) t (tab, col) EXCEPT SELECT n.nspname, c.relname, ''::name"
            + FOUND + OF_SCHEMAS;

    private static final String COLUMNS = TABLES + " EXCEPT SELECT n.nspname, c.relname, a.attname" + FOUND
            + " JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped"
            + OF_SCHEMAS;
    /** Of a table that the user may not read, the column is a space. */
    private static final String UNREADABLE = " UNION ALL SELECT n.nspname, c.relname, ' '::name" + FOUND + OF_SCHEMAS
            + " AND NOT (has_schema_privilege(n.oid, 'USAGE') AND has_any_column_privilege(c.oid, 'SELECT'))";

    private static final String LIMIT = " ORDER BY 1, 2, 3 LIMIT " + REPORTED;

    static TableCheck of(RoutingDataSource dataSource, Map<String, Object> settings) {
        boolean validates = validates(settings);
        boolean allShards = isTrue(settings.get(ShardingSettings.VALIDATE_ALL_SHARDS), false);
        return new TableCheck(dataSource, validates, validates && allShards);
    }

    /** Returns what is missing if it is validated, and logs it otherwise. */
    List<String> run(MappedTables tables, Map<String, List<Integer>> owned) {
        List<String> missing = missing(tables, owned);
        if (missing.isEmpty() || validates) {
            return missing;
        }
        LOG.warn("{}", missing.get(0));
        return List.of();
    }

    static boolean isWanted(Map<String, Object> settings) {
        boolean checks = isTrue(settings.get(ShardingSettings.CHECK_SEQUENCES), true);
        return validates(settings) || isTrue(settings.get(ShardingSettings.CHECK_TABLES), checks);
    }

    static boolean validates(Map<String, Object> settings) {
        return isTrue(settings.get(ShardingSettings.VALIDATE_TABLES), false);
    }

    private static boolean isTrue(@Nullable Object setting, boolean otherwise) {
        return setting == null ? otherwise : Boolean.parseBoolean(setting.toString());
    }

    /** At most one problem, which names all that is missing. */
    List<String> missing(MappedTables tables, Map<String, List<Integer>> owned) {
        List<String> missing = new ArrayList<>();
        if (!tables.ofShards().isEmpty()) {
            owned.forEach((database, shards) -> {
                List<String> schemas = (allShards ? shards : shards.subList(0, 1))
                        .stream().map(ShardSchema::nameOf).toList();
                missing.addAll(missingIn(database, Target.shard(shards.get(0)), schemas, tables.ofShards()));
            });
        }
        GlobalDatabase global = dataSource.global();
        // Without shards, a database may be down: only a validation waits for it.
        if (global != null && !tables.global().isEmpty() && (validates || owned.containsKey(global.database()))) {
            missing.addAll(missingIn(global.database(), Target.global(), List.of(global.schema()), tables.global()));
        }
        return missing.isEmpty() ? missing : List.of(message(missing));
    }

    private static String message(List<String> missing) {
        return "The mappings need what the databases do not have: " + String.join("; ", missing)
                + (missing.size() < REPORTED ? "" : "; perhaps more")
                + ". Create it in a migration (sharded-id.migrations for shards, sharded-id.global.migrations for global"
                + " entities), or correct the mapping.";
    }

    private List<String> missingIn(
            String database, Target.Single target, List<String> schemas, List<MappedTable> tables) {
        return ShardContext.call(target, () -> {
            try (Connection connection = dataSource.getConnection();
                    PreparedStatement query =
                            connection.prepareStatement((validates ? COLUMNS : TABLES) + UNREADABLE + LIMIT)) {
                bind(query, schemas, tables);
                return described(query, database, tables);
            } catch (SQLException e) {
                LOG.warn("The tables of database {} could not be checked: {}", database, e.getMessage());
                return List.of();
            }
        });
    }

    private void bind(PreparedStatement query, List<String> schemas, List<MappedTable> tables) throws SQLException {
        List<String> names = new ArrayList<>();
        List<String> columns = new ArrayList<>();
        for (MappedTable table : tables) {
            names.add(table.name());
            columns.add("");
            for (String column : validates ? table.columns() : List.<String>of()) {
                names.add(table.name());
                columns.add(column);
            }
        }
        set(query, 1, schemas);
        set(query, 2, names);
        set(query, 3, columns);
        Set<String> each = new HashSet<>(names);
        for (int found = 4; found <= (validates ? 8 : 6); found += 2) {
            set(query, found, schemas);
            set(query, found + 1, each);
        }
    }

    private static void set(PreparedStatement query, int index, Collection<String> values) throws SQLException {
        query.setArray(index, query.getConnection().createArrayOf("text", values.toArray()));
    }

    /** Of a missing table, only itself. */
    private static List<String> described(PreparedStatement query, String database, List<MappedTable> tables)
            throws SQLException {
        Map<String, String> mapped =
                tables.stream().collect(Collectors.toMap(MappedTable::name, MappedTable::mapped, (a, b) -> a));
        Set<String> missingTables = new HashSet<>();
        List<String> described = new ArrayList<>();
        try (ResultSet row = query.executeQuery()) {
            while (row.next()) {
                String table = row.getString(1) + "." + row.getString(2);
                String column = row.getString(3);
                if (column.isEmpty()) {
                    missingTables.add(table);
                }
                if (column.isEmpty() || !missingTables.contains(table)) {
                    described.add(switch (column) {
                                case "" -> "table ";
                                case " " -> "the right to read table ";
                                default -> "column " + column + " of ";
                            }
                            + table + " on database "
                            + database + " for " + mapped.get(row.getString(2)));
                }
            }
        }
        return described;
    }

    /**
     * Looks for unique indexes that mean more without shards than with them: each shard has an index of its own, so that two shards may
     * have the same value, unless it contains what determines the shard. One shard is examined, in one query.
     *
     * @param naming the columns that determine the shard of a row, by the table of an entity or a collection
     */
    record UniquenessCheck(RoutingDataSource dataSource, Map<String, Set<String>> naming) {
        private static final Logger LOG = LoggerFactory.getLogger(UniquenessCheck.class);
        private static final String INDEXES = "SELECT t.relname, i.relname, array(SELECT a.attname::text"
                + " FROM pg_catalog.pg_attribute a WHERE a.attrelid = t.oid AND a.attnum > 0"
                + " AND a.attnum = ANY ((x.indkey::int2[])[0 : x.indnkeyatts - 1])),"
                + " regexp_replace(pg_catalog.pg_get_indexdef(i.oid), '^.* USING [^(]*', '') FROM pg_catalog.pg_index x"
                + " JOIN pg_catalog.pg_class t ON t.oid = x.indrelid JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid"
                + " JOIN pg_catalog.pg_namespace n ON n.oid = t.relnamespace"
                + " WHERE n.nspname = ? AND t.relname = ANY (?) AND x.indisunique"
                + " AND NOT x.indisprimary ORDER BY 1, 2";

        static UniquenessCheck of(RoutingDataSource dataSource, Metadata metadata, ShardedMappings mappings) {
            return new UniquenessCheck(dataSource, ColocatedKeys.determining(metadata, mappings));
        }

        /** Logs what it finds. */
        void run(Map<String, List<Integer>> owned) {
            if (naming.isEmpty() || owned.isEmpty()) {
                return;
            }
            List<String> found = owned.values().stream()
                    .map(shards -> find(shards.get(0)))
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(List.of());
            if (!found.isEmpty()) {
                LOG.warn(
                        "Unique in each shard, not in the cluster, as nothing in them determines the shard: {}. Two shards"
                                + " may have rows with the same value. Where that must not be, keep the value in a global"
                                + " entity. (Hibernate's setting sharded-id.check-tables=false switches this"
                                + " off, which Spring Boot has as spring.jpa.properties.sharded-id.check-tables.)",
                        String.join("; ", found));
            }
        }

        /** Null if the database of the shard cannot be asked. */
        private @Nullable List<String> find(int shard) {
            List<String> found = new ArrayList<>();
            try (ShardContext.Scope scope = ShardContext.open(shard);
                    Connection connection = dataSource.getConnection();
                    PreparedStatement query = connection.prepareStatement(INDEXES)) {
                query.setString(1, ShardSchema.nameOf(shard));
                query.setArray(
                        2, connection.createArrayOf("text", naming.keySet().toArray()));
                try (ResultSet row = query.executeQuery()) {
                    while (row.next()) {
                        String table = row.getString(1);
                        List<String> columns = names(row.getArray(3));
                        Set<String> determining = naming.getOrDefault(table, Set.of());
                        if (Collections.disjoint(columns, determining) && !names(row.getString(4), determining)) {
                            found.add(row.getString(2) + " on " + table + " " + row.getString(4));
                        }
                    }
                }
            } catch (SQLException e) {
                LOG.debug("The unique indexes of shard {} could not be read", shard, e);
                return null;
            }
            return found;
        }

        /** Returns whether an expression of an index, as of {@code (coalesce(parent_id, 0))}, contains one of the columns. */
        private static boolean names(String definition, Set<String> columns) {
            return columns.stream().anyMatch(column -> Pattern.compile("\\b" + Pattern.quote(column) + "\\b")
                    .matcher(definition.split(" INCLUDE ", 2)[0])
                    .find());
        }

        private static List<String> names(Array array) throws SQLException {
            return Arrays.asList((String[]) array.getArray());
        }
    }
}
