package io.github.shardedid.hibernate.internal;

import io.github.shardedid.hibernate.internal.StartChecks.Check;
import io.github.shardedid.hibernate.internal.mapping.EntityIds;
import io.github.shardedid.hibernate.internal.mapping.MappedTables;
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
import java.util.Map;
import java.util.stream.Stream;
import org.hibernate.boot.Metadata;
import org.hibernate.mapping.Column;
import org.hibernate.mapping.Table;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks that each shard with an entity's table also has the sequence of its ids, that the default of its id is no plain number of
 * a sequence, and that the default of an id without {@code @ShardedId} generates no sharded ids: two queries per database, three if there
 * are such entities. A database that cannot be reached is skipped.
 */
final class SequenceCheck {
    private static final Logger LOG = LoggerFactory.getLogger(SequenceCheck.class);
    private static final String FOUND = "SELECT n.nspname, t.entity, t.sequence FROM pg_catalog.pg_namespace n"
            + " JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid"
            + " JOIN unnest(?::text[], ?::name[], ?::name[]) t (entity, tab, sequence) ON c.relname = t.";
    private static final String OF_SHARDS = " WHERE n.nspname = ANY (?::name[]) AND c.relkind ";

    /** As a difference of sets: a subquery for each table of each shard takes minutes where the catalogs have no statistics. */
    private static final String MISSING =
            "SELECT DISTINCT ON (entity) nspname, entity, sequence FROM (" + FOUND + "tab" + OF_SHARDS
                    + "IN ('r', 'p') EXCEPT " + FOUND + "sequence" + OF_SHARDS + "= 'S') m ORDER BY entity, nspname";

    /**
     * Defaults that make ids without a shard: {@code bigserial}, and identity columns. A default depends on the functions that it calls,
     * except for those of PostgreSQL itself, as {@code nextval}. Its text is asked for last, as that waits for locks of the table.
     */
    private static final String OTHER_DEFAULT =
            """
            WITH found AS MATERIALIZED (
              SELECT n.nspname, t.entity, t.sequence, c.relname, a.attname, a.attidentity <> '' AS identity, d.adbin, d.adrelid
              FROM pg_catalog.pg_namespace n
              JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid
              JOIN unnest(?::text[], ?::name[], ?::name[]) t (entity, tab, sequence) ON c.relname = t.tab
              JOIN unnest(?::text[], ?::name[]) i (entity, col) ON i.entity = t.entity
              JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attname = i.col
              LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
              WHERE n.nspname = ANY (?::name[]) AND c.relkind IN ('r', 'p')
                AND (a.attidentity <> ''
                  OR EXISTS (SELECT FROM pg_catalog.pg_depend p JOIN pg_catalog.pg_class s ON s.oid = p.refobjid AND s.relkind = 'S'
                      WHERE p.classid = 'pg_attrdef'::regclass AND p.objid = d.oid AND p.refclassid = 'pg_class'::regclass)
                    AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend p
                      WHERE p.classid = 'pg_attrdef'::regclass AND p.objid = d.oid AND p.refclassid = 'pg_proc'::regclass)))
            SELECT DISTINCT ON (entity) nspname, entity, sequence, relname, attname, identity FROM found
            WHERE identity OR pg_catalog.pg_get_expr(adbin, adrelid) LIKE 'nextval(%'
            ORDER BY entity, nspname
            """;

    /** Defaults that generate sharded ids. */
    private static final String FORGOTTEN =
            """
            SELECT DISTINCT ON (t.entity) n.nspname, t.entity, c.relname, a.attname
            FROM pg_catalog.pg_namespace n
            JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid
            JOIN unnest(?::text[], ?::name[], ?::name[]) t (entity, tab, col) ON c.relname = t.tab
            JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attname = t.col
            JOIN pg_catalog.pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
            JOIN pg_catalog.pg_depend p
              ON p.classid = 'pg_attrdef'::regclass AND p.objid = d.oid AND p.refclassid = 'pg_proc'::regclass
            JOIN pg_catalog.pg_proc f ON f.oid = p.refobjid AND f.proname = 'next_id'
            WHERE n.nspname = ANY (?::name[]) AND c.relkind IN ('r', 'p')
            ORDER BY t.entity, n.nspname
            """;

    /** A lock of a migration is not waited for. */
    private static final int MOST_SECONDS = 2;

    private final RoutingDataSource dataSource;
    private final Metadata metadata;
    private final List<ShardedMapping> entities;
    /** Those whose ids name no shard. */
    private final List<ShardedMapping> ownIds;

    private SequenceCheck(RoutingDataSource dataSource, Metadata metadata, Collection<ShardedMapping> entities) {
        this.metadata = metadata;
        this.dataSource = dataSource;
        this.entities = entities.stream()
                .filter(entity ->
                        !entity.sequence().isEmpty() && !entity.sequence().contains("."))
                .toList();
        this.ownIds = entities.stream().filter(entity -> !entity.idNamesShard()).toList();
    }

    /** One for each database. */
    static List<Check> of(
            RoutingDataSource dataSource,
            Metadata metadata,
            ShardedMappings mappings,
            Map<String, List<Integer>> owned) {
        if (mappings.all().isEmpty()) {
            return List.of();
        }
        SequenceCheck check = new SequenceCheck(dataSource, metadata, mappings.all());
        List<Check> checks = new ArrayList<>();
        owned.forEach((database, shards) ->
                checks.add(() -> ShardContext.call(shards.get(0), () -> check.query(database, shards))));
        return checks;
    }

    /** One problem for each entity. */
    private List<String> query(String database, List<Integer> shards) {
        List<String> problems = new ArrayList<>();
        try (Connection connection = dataSource.getConnection();
                PreparedStatement missing = connection.prepareStatement(MISSING);
                PreparedStatement defaults = connection.prepareStatement(OTHER_DEFAULT)) {
            // The same for the tables and for the sequences.
            for (int first = 1; first <= 5; first += 4) {
                setEntities(
                        missing,
                        first,
                        entities.stream()
                                .filter(entity ->
                                        !EntityIds.isSequenceOfDefault(metadata.getEntityBinding(entity.entityName())))
                                .toList());
                set(missing, first + 3, shards.stream().map(ShardSchema::nameOf));
            }
            try (ResultSet row = missing.executeQuery()) {
                while (row.next()) {
                    problems.add(missing(database, row.getString(1), row.getString(2), row.getString(3)));
                }
            }
            setEntities(defaults, 1, entities);
            set(defaults, 4, entities.stream().map(ShardedMapping::entityName));
            set(defaults, 5, entities.stream().map(this::idColumn));
            set(defaults, 6, shards.stream().map(ShardSchema::nameOf));
            defaults.setQueryTimeout(MOST_SECONDS);
            try (ResultSet row = defaults.executeQuery()) {
                while (row.next()) {
                    problems.add(otherDefault(database, row));
                }
            }
            if (!ownIds.isEmpty()) {
                findForgotten(database, shards, connection, problems);
            }
        } catch (SQLException e) {
            LOG.warn("The sequences of the shards of database {} could not be checked: {}", database, e.getMessage());
        }
        return problems;
    }

    private void findForgotten(String database, List<Integer> shards, Connection connection, List<String> problems)
            throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(FORGOTTEN)) {
            set(query, 1, ownIds.stream().map(ShardedMapping::entityName));
            set(query, 2, ownIds.stream().map(this::table));
            set(query, 3, ownIds.stream().map(this::idColumn));
            set(query, 4, shards.stream().map(ShardSchema::nameOf));
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    problems.add("The id of " + row.getString(2) + " has no @ShardedId, but its default in "
                            + row.getString(1)
                            + " on database " + database
                            + " is next_id, which generates sharded ids. Annotate the id with"
                            + " @ShardedId: its rows are then found by their ids. If the id is a number of the application, change"
                            + " the default in a migration: ALTER TABLE " + row.getString(3) + " ALTER COLUMN "
                            + row.getString(4)
                            + " DROP DEFAULT.");
                }
            }
        }
    }

    private String idColumn(ShardedMapping entity) {
        Column column = metadata.getEntityBinding(entity.entityName())
                .getRootClass()
                .getKey()
                .getColumns()
                .get(0);
        return MappedTables.stored(column.getName(), column.isQuoted());
    }

    /** Its own: an abstract root whose subclasses have a table each has none. */
    private String table(ShardedMapping entity) {
        Table table = metadata.getEntityBinding(entity.entityName()).getTable();
        return MappedTables.stored(table.getName(), table.isQuoted());
    }

    private void setEntities(PreparedStatement query, int first, List<ShardedMapping> checked) throws SQLException {
        set(query, first, checked.stream().map(ShardedMapping::entityName));
        set(query, first + 1, checked.stream().map(this::table));
        set(query, first + 2, checked.stream().map(entity -> folded(entity.sequence())));
    }

    private static String otherDefault(String database, ResultSet row) throws SQLException {
        String table = "ALTER TABLE " + row.getString(4) + " ALTER COLUMN " + row.getString(5);
        String sequence = row.getString(3);
        boolean identity = row.getBoolean(6);
        return "The default of the id of " + row.getString(2) + " in " + row.getString(1)
                + " on database " + database + " is " + (identity ? "that of an identity column" : "nextval")
                + ", so an INSERT without an id would store a row whose id names another shard. Change it in a migration:"
                + (identity
                        ? " " + table + " DROP IDENTITY; CREATE SEQUENCE IF NOT EXISTS " + sequence + " MINVALUE 0;"
                        : "")
                + " " + table + " SET DEFAULT next_id('" + sequence + "').";
    }

    private static String missing(String database, String schema, String entity, String sequence) {
        return "The sequence " + sequence + " of " + entity + " is missing in " + schema
                + " on database " + database + ", but its table exists. Create it in a migration: CREATE SEQUENCE "
                + sequence + " MINVALUE 0; or name another sequence with @ShardedId(sequence = …).";
    }

    private static void set(PreparedStatement query, int index, Stream<String> values) throws SQLException {
        query.setArray(index, query.getConnection().createArrayOf("text", values.toArray()));
    }

    /** As PostgreSQL folds a name that is not quoted. */
    private static String folded(String name) {
        return name.startsWith("\"") ? name.substring(1, name.length() - 1) : name.toLowerCase(Locale.ROOT);
    }
}
