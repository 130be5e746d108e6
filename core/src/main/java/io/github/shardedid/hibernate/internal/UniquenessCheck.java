package io.github.shardedid.hibernate.internal;

import io.github.shardedid.hibernate.internal.checks.NamingColumns;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.hibernate.boot.Metadata;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
        return new UniquenessCheck(dataSource, NamingColumns.of(metadata, mappings));
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
            query.setArray(2, connection.createArrayOf("text", naming.keySet().toArray()));
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

    /** Whether an expression of an index, as of {@code (coalesce(parent_id, 0))}, contains one of the columns. */
    private static boolean names(String definition, Set<String> columns) {
        return columns.stream().anyMatch(column -> Pattern.compile("\\b" + Pattern.quote(column) + "\\b")
                .matcher(definition.split(" INCLUDE ", 2)[0])
                .find());
    }

    private static List<String> names(Array array) throws SQLException {
        return Arrays.asList((String[]) array.getArray());
    }
}
