package io.github.shardedid.hibernate.internal.checks;

import io.github.shardedid.hibernate.internal.mapping.Associations;
import io.github.shardedid.hibernate.internal.mapping.ForeignShardBinder;
import io.github.shardedid.hibernate.internal.mapping.IdPart;
import io.github.shardedid.hibernate.internal.mapping.MappedTables;
import io.github.shardedid.hibernate.internal.mapping.ShardKeyAttribute;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hibernate.MappingException;
import org.hibernate.boot.Metadata;
import org.hibernate.mapping.Column;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.Constraint;
import org.hibernate.mapping.DenormalizedTable;
import org.hibernate.mapping.ManyToOne;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Table;
import org.hibernate.mapping.Value;
import org.jspecify.annotations.Nullable;

/**
 * Collects, by table, the columns with ids of the row's own shard: keys, and references to rows of the same shard. With the shard keys
 * themselves, these are the columns that determine the shard of a row.
 *
 * <p>The sets of columns have two uses:
 *
 * <ol>
 *   <li>A query that joins two tables by such columns joins rows of one shard, so that it may be executed in
 *       several shards.
 *   <li>A unique key that contains a column which determines the shard is unique in the cluster, since equal values
 *       are in one shard.
 * </ol>
 *
 * <p>Columns are collected by table and not by entity, because SQL has only these. A column that is left out
 * costs a refusal or a warning; one that is wrongly here would let a query miss rows. So what is not certain is
 * left out.
 */
public final class ColocatedKeys {
    private final ShardedMappings mappings;
    /** The tables of sharded entities and of their collections. */
    private final Set<Table> tables = new LinkedHashSet<>();

    /** The columns with ids whose bits name the row's shard, by table. */
    private final Map<String, Set<String>> ids = new HashMap<>();
    /** The columns of shard keys that are no ids, or perhaps of another table than the entity's, by table. */
    private final Map<String, Set<String>> shardKeys = new HashMap<>();

    private ColocatedKeys(Metadata metadata, ShardedMappings mappings) {
        this.mappings = mappings;
        metadata.getEntityBindings().forEach(entity -> add(entity, mappings.find(entity.getEntityName())));
        for (Associations.ToOneAttribute toOne : Associations.toOnes(metadata)) {
            addReference(toOne.owner(), toOne.value().getTable(), toOne.value());
        }
        metadata.getCollectionBindings().forEach(this::add);
        metadata.getEntityBindings().forEach(this::addAuditTable);
    }

    /** The columns with ids by table, as PostgreSQL stores their names. */
    public static Map<String, Set<String>> of(Metadata metadata, ShardedMappings mappings) {
        return new ColocatedKeys(metadata, mappings).ids;
    }

    /**
     * Returns the columns that determine the shard of a row, by the tables of sharded entities and of their collections: a unique key with
     * none of them holds within each shard only.
     */
    public static Map<String, Set<String>> determining(Metadata metadata, ShardedMappings mappings) {
        ColocatedKeys keys = new ColocatedKeys(metadata, mappings);
        return keys.tables.stream()
                .filter(Table::isPhysicalTable)
                .map(ColocatedKeys::nameOf)
                .distinct()
                .collect(Collectors.toMap(table -> table, keys::determining));
    }

    private Set<String> determining(String table) {
        Set<String> columns = new HashSet<>(ids.getOrDefault(table, Set.of()));
        columns.addAll(shardKeys.getOrDefault(table, Set.of()));
        return columns;
    }

    /** Returns the unique keys of the mappings that hold within each shard only, each as {@code table (column, column)}. */
    public static List<String> uniqueInShards(Metadata metadata, ShardedMappings mappings) {
        ColocatedKeys keys = new ColocatedKeys(metadata, mappings);
        return keys.tables.stream()
                .filter(Table::isPhysicalTable)
                .flatMap(table -> uniqueIn(table)
                        .filter(names -> Collections.disjoint(names, keys.determining(nameOf(table))))
                        .map(names -> nameOf(table) + " (" + String.join(", ", names) + ")"))
                .sorted()
                .distinct()
                .toList();
    }

    /** Returns the columns of each unique key. */
    private static Stream<List<String>> uniqueIn(Table table) {
        return Stream.concat(
                        table.getColumns().stream().filter(Column::isUnique).map(List::of),
                        table.getUniqueKeys().values().stream().map(Constraint::getColumns))
                .map(key -> key.stream().map(ColocatedKeys::nameOf).toList());
    }

    /** Adds the columns of an entity: its id in each of its tables, its references, and its shard key. */
    private void add(PersistentClass entity, @Nullable ShardedMapping mapping) {
        if (mapping == null) {
            return;
        }
        addOwned(entity.getTable(), entity.getKey(), mapping);
        entity.getJoins().forEach(join -> addOwned(join.getTable(), join.getKey(), mapping));
        // With a table per class, inherited attributes have columns in each table, but the boot model has them in
        // the superclass only.
        if (entity.getTable() instanceof DenormalizedTable own) {
            entity.getPropertyClosure().stream()
                    .filter(property -> !ForeignShardBinder.isForeign(property))
                    .forEach(property -> addReference(entity, own, property.getValue()));
        }
        ShardKeyAttribute key = mapping.key();
        Stream.concat(Stream.ofNullable(key).map(ShardKeyAttribute::name), mapping.parents().keySet().stream())
                .filter(path -> !mapping.isKeyInId() || key == null || !path.equals(key.name()))
                .flatMap(path -> columns(entity, path))
                .forEach(column -> add(shardKeys, entity.getTable(), column));
        if (key != null && key.kind() == ShardKeyAttribute.Kind.REFERENCE && !mapping.isKeyInId()) {
            Value value = entity.getProperty(key.name()).getValue();
            add(value.getTable(), value);
        }
    }

    /** A part of the id has no path from the entity, and its columns are known. */
    private static Stream<Column> columns(PersistentClass entity, String path) {
        try {
            return entity.getRecursiveProperty(path).getValue().getSelectables().stream()
                    .filter(Column.class::isInstance)
                    .map(Column.class::cast);
        } catch (MappingException ofId) {
            return Stream.of();
        }
    }

    /** Adds the columns of a collection: the key, which is the id of its owner, and references to its elements. */
    private void add(org.hibernate.mapping.Collection collection) {
        ShardedMapping owner = mappings.find(collection.getOwnerEntityName());
        if (owner != null && collection.getReferencedPropertyName() == null) {
            Table table = collection.getCollectionTable();
            if (collection.isOneToMany()) {
                addId(table, collection.getKey(), owner);
            } else {
                addOwned(table, collection.getKey(), owner);
            }
            addReference(collection.getOwner(), table, collection.getElement());
        }
    }

    /**
     * Adds the parts of the id of an audit table: the revision, which refers to a row of the same shard, and the
     * audited row.
     */
    private void addAuditTable(PersistentClass entity) {
        if (entity.getIdentifier() instanceof Component id) {
            id.getProperties().stream()
                    .filter(part -> mappings.auditTables().isShardedId(entity.getEntityName(), part.getName()))
                    .forEach(part -> add(entity.getRootTable(), part.getValue()));
        }
    }

    /**
     * Adds the column of a reference to a sharded row. It is an id of the same shard, because the guard of rows
     * refuses others.
     */
    private void addReference(PersistentClass owner, Table table, Value value) {
        if (mappings.find(owner.getEntityName()) == null) {
            return;
        }
        ShardedMapping target =
                value instanceof ManyToOne toOne ? mappings.find(toOne.getReferencedEntityName()) : null;
        if (target != null && value instanceof ManyToOne toOne && toOne.isReferenceToPrimaryKey()) {
            addId(table, toOne, target);
        }
    }

    /** Adds a table of an entity, of which the part of the id that names the shard may be a shard key and no id. */
    private void addOwned(Table table, Value id, ShardedMapping mapping) {
        tables.add(table);
        addId(table, id, mapping);
        if (mapping.idPart() != null && !id.hasFormula()) {
            mapping.idPart()
                    .columns()
                    .forEach(position -> add(shardKeys, table, id.getColumns().get(position)));
        }
    }

    /** Of the id of an entity, only the part that names the shard. */
    private void addId(Table table, Value value, ShardedMapping mapping) {
        IdPart part = mapping.idPart();
        if (mapping.idNamesShard() && part == null) {
            add(table, value);
        } else if (mapping.idNamesShard()
                && part != null
                && part.key().target() != null
                && part.columns().size() == 1
                && !value.hasFormula()) {
            add(ids, table, value.getColumns().get(part.columns().get(0)));
        }
    }

    /** A formula has no column. */
    private void add(Table table, Value value) {
        if (!value.hasFormula() && value.getColumns().size() == 1) {
            add(ids, table, value.getColumns().get(0));
        }
    }

    private static void add(Map<String, Set<String>> columns, Table table, Column column) {
        columns.computeIfAbsent(nameOf(table), name -> new HashSet<>()).add(nameOf(column));
    }

    private static String nameOf(Table table) {
        return MappedTables.stored(table.getName(), table.isQuoted());
    }

    private static String nameOf(Column column) {
        return MappedTables.stored(column.getName(), column.isQuoted());
    }
}
