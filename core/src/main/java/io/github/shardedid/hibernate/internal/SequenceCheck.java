package io.github.shardedid.hibernate.internal;

import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks that each shard with an entity's table also has the sequence of its ids: one query per database. A database that cannot
 * be reached is skipped.
 */
final class SequenceCheck {
    private static final Logger LOG = LoggerFactory.getLogger(SequenceCheck.class);
    private static final String FOUND = "SELECT n.nspname, t.entity, t.sequence FROM pg_catalog.pg_namespace n"
            + " JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid"
            + " JOIN unnest(?::text[], ?::name[], ?::name[]) t (entity, tab, sequence) ON c.relname = t.";
    private static final String OF_SHARDS = " WHERE n.nspname = ANY (?::name[]) AND c.relkind ";

    /** As a difference of sets: a subquery for each table of each shard takes minutes where the catalogs have no statistics. */
    private static final String MISSING = FOUND + "tab" + OF_SHARDS + "IN ('r', 'p') EXCEPT " + FOUND + "sequence"
            + OF_SHARDS + "= 'S' ORDER BY 1, 2 LIMIT 1";

    private final RoutingDataSource dataSource;
    private final List<ShardedMapping> entities;

    private SequenceCheck(RoutingDataSource dataSource, Collection<ShardedMapping> entities) {
        this.dataSource = dataSource;
        this.entities = entities.stream()
                .filter(entity ->
                        !entity.sequence().isEmpty() && !entity.sequence().contains("."))
                .toList();
    }

    /** One for each database. */
    static List<Runnable> of(RoutingDataSource dataSource, ShardedMappings mappings) {
        if (mappings.all().isEmpty()) {
            return List.of();
        }
        SequenceCheck check = new SequenceCheck(dataSource, mappings.all());
        List<Runnable> checks = new ArrayList<>();
        ShardsByDatabase.of(dataSource.cluster().map().get())
                .forEach((database, shards) ->
                        checks.add(() -> ShardContext.run(shards.get(0), () -> check.query(database, shards))));
        return checks;
    }

    private void query(String database, List<Integer> shards) {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement query = connection.prepareStatement(MISSING)) {
            // The same for the tables and for the sequences.
            for (int first = 1; first <= 5; first += 4) {
                set(query, first, entities.stream().map(ShardedMapping::entityName));
                set(query, first + 1, entities.stream().map(entity -> folded(entity.table())));
                set(query, first + 2, entities.stream().map(entity -> folded(entity.sequence())));
                set(query, first + 3, shards.stream().map(ShardSchema::nameOf));
            }
            try (ResultSet row = query.executeQuery()) {
                if (row.next()) {
                    throw missing(database, row.getString(1), row.getString(2), row.getString(3));
                }
            }
        } catch (SQLException e) {
            LOG.warn("The sequences of the shards of database {} could not be checked: {}", database, e.getMessage());
        }
    }

    private static ShardedIdMappingException missing(String database, String schema, String entity, String sequence) {
        return new ShardedIdMappingException("The sequence " + sequence + " of " + entity + " is missing in " + schema
                + " on database " + database + ", but its table exists. Create it in a migration: CREATE SEQUENCE "
                + sequence + " MINVALUE 0; or name another sequence with @ShardedId(sequence = …).");
    }

    private static void set(PreparedStatement query, int index, Stream<String> values) throws SQLException {
        query.setArray(index, query.getConnection().createArrayOf("text", values.toArray()));
    }

    /** As PostgreSQL folds a name that is not quoted. */
    private static String folded(String name) {
        return name.startsWith("\"") ? name.substring(1, name.length() - 1) : name.toLowerCase(Locale.ROOT);
    }
}
