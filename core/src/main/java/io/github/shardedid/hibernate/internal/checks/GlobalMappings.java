package io.github.shardedid.hibernate.internal.checks;

import io.github.shardedid.WayOut;
import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.hibernate.internal.mapping.Associations;
import io.github.shardedid.hibernate.internal.mapping.Associations.MappedValue;
import io.github.shardedid.hibernate.internal.mapping.MappingProblems;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import io.github.shardedid.hibernate.internal.routing.Overridden;
import io.github.shardedid.routing.RoutingDataSource;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hibernate.FetchMode;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.model.relational.Database;
import org.hibernate.boot.model.relational.internal.SqlStringGenerationContextImpl;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.mapping.Join;
import org.hibernate.mapping.KeyValue;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.SimpleValue;
import org.hibernate.mapping.Table;
import org.hibernate.mapping.ToOne;
import org.jspecify.annotations.Nullable;

/**
 * Moves the tables and generators of global entities to the schema of the global database, in Hibernate's boot model. So the text
 * of each statement shows that its target is the global database.
 *
 * <p>The connection routes a statement by the schemas in its text. Without this, a statement on a global table
 * would need a scope, like any other, and a join of a global and a sharded table would fail in the database instead
 * of being refused with a reason.
 *
 * <p>The constructor reads and checks, and {@link #move} changes: nothing is changed before all problems are
 * known.
 */
final class GlobalMappings {
    private static final String SCHEMA = RoutingDataSource.GLOBAL_PLACEHOLDER;
    private static final Pattern HIBERNATES_SCHEMA = Pattern.compile("\\{h-(schema|domain)}");

    private final Metadata metadata;
    /** The global entities; all others are sharded, or their rows are those of a query. */
    private final Set<PersistentClass> global = new LinkedHashSet<>();

    private final ShardedMappings mappings;
    private final Set<Table> replicatedTables = new HashSet<>();
    private final Set<Table> globalTables = new LinkedHashSet<>();
    private final Set<Table> shardedTables = new HashSet<>();

    GlobalMappings(
            Metadata metadata, Collection<PersistentClass> global, ShardedMappings mappings, MappingProblems problems) {
        this.metadata = metadata;
        this.mappings = mappings;
        this.global.addAll(global);
        for (PersistentClass entity : metadata.getEntityBindings()) {
            tables(entity).forEach(table -> problems.collect(() -> add(entity, table)));
        }
        for (org.hibernate.mapping.Collection collection : metadata.getCollectionBindings()) {
            // The table of an inverse side is that of the other side, which is checked as such.
            if (!collection.isOneToMany() && !collection.isInverse()) {
                problems.collect(() -> add(collection.getOwner(), collection.getCollectionTable()));
            }
        }
    }

    /** Returns the names of the tables of global entities, or of those of the others, without replicated ones, which either may join. */
    Set<String> tables(boolean ofGlobal) {
        return (ofGlobal ? globalTables : shardedTables)
                .stream()
                        .filter(table -> !replicatedTables.contains(table))
                        .map(Table::getName)
                        .collect(Collectors.toSet());
    }

    /** Returns the tables of an entity, the main one first. */
    private static List<Table> tables(PersistentClass entity) {
        return Stream.concat(
                        Stream.of(entity.getTable()), entity.getJoins().stream().map(Join::getTable))
                .toList();
    }

    /**
     * Notes that a table is global or sharded.
     *
     * @throws ShardedIdMappingException if it is mapped to another schema, or is also a table of an entity of the
     *     other kind
     */
    private void add(PersistentClass entity, Table table) {
        String schema = table.getSchema();
        String catalog = table.getCatalog();
        if (table.isSubselect()) {
            addSubselect(entity, table, table.getSubselect());
            return;
        }
        (isGlobal(entity) ? globalTables : shardedTables).add(table);
        if (mappings.isReplicated(entity.getEntityName())) {
            replicatedTables.add(table);
        }
        if (catalog != null || (schema != null && !schema.equals(SCHEMA))) {
            throw new ShardedIdMappingException("The table " + table.getName() + " of " + entity.getEntityName()
                    + " is mapped to the " + (catalog == null ? "schema " + schema : "catalog " + catalog) + ", but "
                    + (isGlobal(entity)
                            ? "global tables are in the schema that " + WayOut.GLOBAL_SCHEMA.of() + " names"
                            : "it is in the schema of every shard")
                    + ". Remove it from the mapping.");
        }
        if (globalTables.contains(table) && shardedTables.contains(table)) {
            throw new ShardedIdMappingException("The table " + table.getName() + " of " + entity.getEntityName()
                    + " is also that of an entity that is "
                    + (isGlobal(entity) ? "sharded" : "not sharded")
                    + ". A table is either in every shard or in the global database: map two tables.");
        }
    }

    /**
     * Hibernate replaces the placeholders in the text by the schema of the table.
     *
     * <p>A text without the placeholder would be sent with names that have no schema.
     */
    private void addSubselect(PersistentClass entity, Table table, String text) {
        if (isGlobal(entity) && HIBERNATES_SCHEMA.matcher(text).find()) {
            globalTables.add(table);
        } else if (isGlobal(entity)) {
            throw new ShardedIdMappingException("The @Subselect of " + entity.getEntityName()
                    + " does not name the schema of its tables, so nothing in a statement would show that they are global."
                    + " Write {h-schema} before each of them: from {h-schema}country.");
        }
    }

    private boolean isGlobal(PersistentClass entity) {
        return global.contains(entity);
    }

    /**
     * Changes the boot model.
     *
     * <p>Called also if problems were found: the session factory is not created then.
     */
    void move() {
        globalTables.forEach(table ->
                table.setSchema(replicatedTables.contains(table) ? RoutingDataSource.REPLICATED_PLACEHOLDER : SCHEMA));
        synchronize();
        for (PersistentClass entity : global) {
            if (entity == entity.getRootClass()) {
                moveGenerator(entity.getIdentifier());
            }
        }
        for (MappedValue<ToOne> toOne : Associations.toOnes(metadata)) {
            PersistentClass target = metadata.getEntityBinding(toOne.value().getReferencedEntityName());
            if (target != null
                    && isGlobal(target) != isGlobal(toOne.owner())
                    && !mappings.isReplicated(target.getEntityName())) {
                // A join would need both tables in one database, so eager associations are loaded by a second select.
                toOne.value().setFetchMode(FetchMode.SELECT);
            }
        }
    }

    /**
     * Flushes and evicts also for queries that name tables without a schema: {@code @Synchronize("photo")}, query
     * spaces.
     *
     * <p>Hibernate compares names of tables as they are written in the mapping, and with a schema that the
     * application does not know they would never be equal.
     */
    private void synchronize() {
        for (PersistentClass entity : metadata.getEntityBindings()) {
            tables(entity).forEach(table -> addName(table, entity::addSynchronizedTable));
        }
        for (org.hibernate.mapping.Collection collection : metadata.getCollectionBindings()) {
            addName(collection.getCollectionTable(), collection.getSynchronizedTables()::add);
        }
    }

    private void addName(Table table, Consumer<String> names) {
        if (!table.isSubselect()) {
            names.accept(table.getQuotedName(metadata.getDatabase().getDialect()));
        }
    }

    /**
     * A sequence without a schema is in the default schema.
     *
     * <p>An assigned id has no generator.
     */
    private static void moveGenerator(@Nullable KeyValue identifier) {
        if (identifier instanceof SimpleValue value && value.getCustomIdGeneratorCreator() != null) {
            var creator = value.getCustomIdGeneratorCreator();
            if (!creator.isAssigned()) {
                value.setCustomIdGeneratorCreator(context -> creator.createGenerator(inGlobalSchema(context)));
            }
        }
    }

    /** A context that creates generators with the default schema of the global database. */
    private static GeneratorCreationContext inGlobalSchema(GeneratorCreationContext context) {
        Database database = context.getDatabase();
        return Overridden.of(
                GeneratorCreationContext.class,
                context,
                (method, arguments, call) -> method.getName().equals("getDefaultSchema")
                        ? SCHEMA
                        : SqlStringGenerationContextImpl.fromExplicit(
                                database.getJdbcEnvironment(), database, context.getDefaultCatalog(), SCHEMA),
                "getDefaultSchema",
                "getSqlStringGenerationContext");
    }
}
