package io.github.shardedid.hibernate.internal.checks;

import io.github.shardedid.hibernate.internal.mapping.Associations;
import io.github.shardedid.hibernate.internal.mapping.Associations.MappedValue;
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
import org.hibernate.mapping.ToOne;
import org.hibernate.mapping.Value;

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

    /** Collects the columns from the boot model. */
    public ColocatedKeys(Metadata metadata, ShardedMappings mappings) {
        this.mappings = mappings;
        for (PersistentClass entity : metadata.getEntityBindings()) {
            ShardedMapping mapping = mappings.find(entity.getEntityName());
            if (mapping != null) {
                add(entity, mapping);
            }
            addAuditTable(entity);
        }
        for (MappedValue<ToOne> toOne : Associations.toOnes(metadata)) {
            addReference(toOne.owner(), toOne.value().getTable(), toOne.value());
        }
        metadata.getCollectionBindings().forEach(this::add);
    }

    /** Returns the columns with ids by table, as PostgreSQL stores their names. */
    public Map<String, Set<String>> ids() {
        return ids;
    }

    /** Returns the unique keys of the mappings that hold within each shard only, each as {@code table (column, column)}. */
    public List<String> uniqueInShards() {
        return tables.stream()
                .filter(Table::isPhysicalTable)
                .flatMap(table -> uniqueIn(table)
                        .filter(names -> Collections.disjoint(names, columnsOf(ids, table))
                                && Collections.disjoint(names, columnsOf(shardKeys, table)))
                        .map(names -> nameOf(table) + " (" + String.join(", ", names) + ")"))
                .sorted()
                .distinct()
                .toList();
    }

    private static Set<String> columnsOf(Map<String, Set<String>> columns, Table table) {
        return columns.getOrDefault(nameOf(table), Set.of());
    }

    /** Returns the columns of each unique key. */
    private static Stream<List<String>> uniqueIn(Table table) {
        return Stream.concat(
                        table.getColumns().stream().filter(Column::isUnique).map(List::of),
                        table.getUniqueKeys().values().stream().map(Constraint::getColumns))
                .map(key -> key.stream().map(ColocatedKeys::nameOf).toList());
    }

    /** Adds the columns of an entity: its id in each of its tables, its references, and its shard key. */
    private void add(PersistentClass entity, ShardedMapping mapping) {
        addOwned(entity.getTable(), entity.getKey(), mapping);
        entity.getJoins().forEach(join -> addOwned(join.getTable(), join.getKey(), mapping));
        // With a table per class, inherited attributes have columns in each table, but the boot model has them in
        // the superclass only.
        if (entity.getTable() instanceof DenormalizedTable own) {
            entity.getPropertyClosure().stream()
                    .filter(property -> !ForeignShardBinder.isForeign(property))
                    .forEach(property -> addReference(entity, own, property.getValue()));
        }
        mapping.parents().keySet().forEach(path -> addShardKey(entity, path, false));
        ShardKeyAttribute key = mapping.key();
        if (key != null && !mapping.isKeyInId()) {
            addShardKey(entity, key.name(), key.kind() == ShardKeyAttribute.Kind.REFERENCE);
        }
    }

    /** A part of the id has no path from the entity, and its columns are known. */
    private void addShardKey(PersistentClass entity, String path, boolean isId) {
        try {
            Value value = entity.getRecursiveProperty(path).getValue();
            value.getColumns().forEach(column -> add(shardKeys, entity.getTable(), column));
            if (isId) {
                value.getColumns().forEach(column -> add(ids, value.getTable(), column));
            }
        } catch (MappingException ofId) {
            // Added with the id.
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
                    .filter(part -> part.getValue().getColumns().size() == 1)
                    .forEach(part -> add(
                            ids,
                            entity.getRootTable(),
                            part.getValue().getColumns().get(0)));
        }
    }

    /**
     * Adds the column of a reference to a sharded row. It is an id of the same shard, because the guard of rows
     * refuses others.
     */
    private void addReference(PersistentClass owner, Table table, Value value) {
        if (mappings.find(owner.getEntityName()) != null
                && value instanceof ManyToOne toOne
                && toOne.isReferenceToPrimaryKey()) {
            ShardedMapping target = mappings.find(toOne.getReferencedEntityName());
            if (target != null) {
                addId(table, toOne, target);
            }
        }
    }

    private void addOwned(Table table, Value id, ShardedMapping mapping) {
        tables.add(table);
        addId(table, id, mapping);
    }

    /** Adds the id of an entity or, of a composite one, the part that names the shard, which may be a shard key and no id. */
    private void addId(Table table, Value id, ShardedMapping mapping) {
        if (mapping.idNamesShard() && !id.hasFormula()) {
            IdPart part = mapping.idPart();
            List<Column> columns = part == null
                    ? id.getColumns()
                    : part.columns().stream().map(id.getColumns()::get).toList();
            boolean isId = columns.size() == 1 && (part == null || part.key().target() != null);
            columns.forEach(column -> add(isId ? ids : shardKeys, table, column));
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
