package io.github.shardedid.hibernate.internal.checks;

import io.github.shardedid.hibernate.internal.mapping.Associations;
import io.github.shardedid.hibernate.internal.mapping.ForeignShardBinder;
import io.github.shardedid.hibernate.internal.mapping.IdPart;
import io.github.shardedid.hibernate.internal.mapping.MappedTables;
import io.github.shardedid.hibernate.internal.mapping.ShardKeyAttribute;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hibernate.MappingException;
import org.hibernate.boot.Metadata;
import org.hibernate.mapping.Any;
import org.hibernate.mapping.Column;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.Constraint;
import org.hibernate.mapping.DenormalizedTable;
import org.hibernate.mapping.Join;
import org.hibernate.mapping.ManyToOne;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Table;
import org.hibernate.mapping.Value;
import org.hibernate.type.MetaType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects, by table, the columns with ids of the row's own shard: keys, and references to rows of the same shard. With the shard keys
 * themselves, these are the columns that determine the shard of a row.
 */
public final class ColocatedKeys {
    private static final Logger LOG = LoggerFactory.getLogger(ColocatedKeys.class);

    private final ShardedMappings mappings;
    private final Set<String> entities;
    private final Map<String, Set<String>> columns = new HashMap<>();

    private ColocatedKeys(ShardedMappings mappings, Set<String> entities) {
        this.mappings = mappings;
        this.entities = entities;
    }

    /** The columns by table, as PostgreSQL stores their names. */
    public static Map<String, Set<String>> of(Metadata metadata, ShardedMappings mappings) {
        Set<String> entities = metadata.getEntityBindings().stream()
                .map(PersistentClass::getEntityName)
                .collect(Collectors.toSet());
        ColocatedKeys keys = new ColocatedKeys(mappings, entities);
        metadata.getEntityBindings().stream()
                .filter(entity -> mappings.find(entity.getEntityName()) != null)
                .forEach(keys::add);
        for (Associations.ToOneAttribute toOne : Associations.toOnes(metadata)) {
            if (mappings.find(toOne.owner().getEntityName()) != null) {
                keys.addReference(toOne.value().getTable(), toOne.value());
            }
        }
        for (Associations.AnyAttribute any : Associations.anys(metadata)) {
            if (mappings.find(any.owner().getEntityName()) != null) {
                keys.addReference(any.value().getTable(), any.value());
            }
        }
        metadata.getCollectionBindings().forEach(keys::add);
        metadata.getEntityBindings().forEach(keys::addAuditTable);
        return keys.columns;
    }

    /** The revision, which refers to a row of the same shard, and the audited row. */
    private void addAuditTable(PersistentClass entity) {
        if (entity.getIdentifier() instanceof Component id) {
            id.getProperties().stream()
                    .filter(part -> mappings.auditTables().isShardedId(entity.getEntityName(), part.getName()))
                    .forEach(part -> add(entity.getRootTable(), part.getValue()));
        }
    }

    private void add(PersistentClass entity) {
        addId(entity.getTable(), entity.getKey(), entity.getEntityName());
        for (Join join : entity.getJoins()) {
            addId(join.getTable(), join.getKey(), entity.getEntityName());
        }
        if (entity.getTable() instanceof DenormalizedTable own) {
            entity.getPropertyClosure().stream()
                    .filter(property -> !ForeignShardBinder.isForeign(property))
                    .forEach(property -> addReference(own, property.getValue()));
        }
        ShardedMapping mapping = mappings.find(entity.getEntityName());
        ShardKeyAttribute key = mapping == null ? null : mapping.key();
        if (mapping != null && key != null && key.kind() == ShardKeyAttribute.Kind.REFERENCE && !mapping.isKeyInId()) {
            Value value = entity.getProperty(key.name()).getValue();
            add(value.getTable(), value);
        }
    }

    private void add(org.hibernate.mapping.Collection collection) {
        if (mappings.find(collection.getOwnerEntityName()) != null && collection.getReferencedPropertyName() == null) {
            addId(collection.getCollectionTable(), collection.getKey(), collection.getOwnerEntityName());
            addReference(collection.getCollectionTable(), collection.getElement());
        }
    }

    /** The association guard refuses references to other shards. */
    private void addReference(Table table, Value value) {
        if (value instanceof ManyToOne toOne
                && toOne.isReferenceToPrimaryKey()
                && mappings.find(toOne.getReferencedEntityName()) != null) {
            addId(table, toOne, toOne.getReferencedEntityName());
        } else if (value instanceof Any any && targets(any).stream().allMatch(this::hasShardedId)) {
            add(table, any.getKeyDescriptor());
        }
    }

    /** The entities of the discriminator's values: all entities if some values are the names of entities. */
    private Collection<String> targets(Any any) {
        return any.getType().getDiscriminatorType() instanceof MetaType type
                        && type.getImplicitValueStrategy() == null
                        && !any.getMetaValues().isEmpty()
                ? any.getMetaValues().values()
                : entities;
    }

    private boolean hasShardedId(String entityName) {
        ShardedMapping mapping = mappings.find(entityName);
        return mapping != null && mapping.idNamesShard() && mapping.idPart() == null;
    }

    /** Of the id of an entity, only the part that names the shard. */
    private void addId(Table table, Value value, String entityName) {
        ShardedMapping mapping = Objects.requireNonNull(mappings.find(entityName));
        IdPart part = mapping.idPart();
        if (!mapping.idNamesShard()) {
            return;
        } else if (part == null) {
            add(table, value);
        } else if (part.key().target() != null && part.columns().size() == 1 && !value.hasFormula()) {
            add(table, value.getColumns().get(part.columns().get(0)));
        }
    }

    /** A formula has no column. */
    private void add(Table table, Value value) {
        if (value.hasFormula()) {
            return;
        }
        List<Column> all = value.getColumns();
        if (all.size() == 1) {
            add(table, all.get(0));
        }
    }

    private void add(Table table, Column column) {
        columns.computeIfAbsent(nameOf(table), name -> new HashSet<>()).add(nameOf(column));
    }

    /**
     * Returns the columns that determine the shard of a row, by the tables of sharded entities and of their collections: a unique key with
     * none of them holds within each shard only.
     */
    public static Map<String, Set<String>> determining(Metadata metadata, ShardedMappings mappings) {
        Map<String, Set<String>> determining = new HashMap<>();
        byTable(metadata, mappings).forEach((table, columns) -> determining
                .computeIfAbsent(nameOf(table), name -> new HashSet<>())
                .addAll(columns));
        return determining;
    }

    /** Returns the unique keys of the mappings that hold within each shard only, each as {@code table (column, column)}. */
    public static List<String> uniqueInShards(Metadata metadata, ShardedMappings mappings) {
        Map<String, Set<String>> determining = determining(metadata, mappings);
        return byTable(metadata, mappings).keySet().stream()
                .flatMap(table -> uniqueIn(table)
                        .filter(names -> Collections.disjoint(names, determining.get(nameOf(table))))
                        .map(names -> nameOf(table) + " (" + String.join(", ", names) + ")"))
                .sorted()
                .distinct()
                .toList();
    }

    private static Map<Table, Set<String>> byTable(Metadata metadata, ShardedMappings mappings) {
        Map<Table, Set<String>> found = new HashMap<>();
        for (PersistentClass entity : metadata.getEntityBindings()) {
            ShardedMapping mapping = mappings.find(entity.getEntityName());
            if (mapping != null) {
                add(found, entity.getTable(), mapping, entity.getKey()).addAll(keyColumns(entity, mapping));
                entity.getJoins().forEach(join -> add(found, join.getTable(), mapping, join.getKey()));
            }
        }
        for (org.hibernate.mapping.Collection collection : metadata.getCollectionBindings()) {
            ShardedMapping owner = mappings.find(collection.getOwnerEntityName());
            if (owner != null && !collection.isOneToMany()) {
                add(found, collection.getCollectionTable(), owner, collection.getKey());
            }
        }
        found.keySet().removeIf(table -> !table.isPhysicalTable());
        Map<String, Set<String>> colocated = of(metadata, mappings);
        found.forEach((table, columns) -> columns.addAll(colocated.getOrDefault(nameOf(table), Set.of())));
        return found;
    }

    /** Adds a table with the columns of the part of the id that names the shard, as that part may be a shard key and no id. */
    private static Set<String> add(Map<Table, Set<String>> found, Table table, ShardedMapping mapping, Value id) {
        Set<String> columns = found.computeIfAbsent(table, added -> new HashSet<>());
        if (mapping.idPart() != null && !id.hasFormula()) {
            mapping.idPart()
                    .columns()
                    .forEach(position -> columns.add(nameOf(id.getColumns().get(position))));
        }
        return columns;
    }

    /** Returns the columns of the shard key and of references to rows of the same shard. */
    private static Set<String> keyColumns(PersistentClass entity, ShardedMapping mapping) {
        return Stream.concat(
                        Stream.ofNullable(mapping.key()).map(ShardKeyAttribute::name),
                        mapping.parents().keySet().stream())
                .flatMap(path -> columns(entity, path))
                .collect(Collectors.toSet());
    }

    private static Stream<String> columns(PersistentClass entity, String path) {
        try {
            return entity.getRecursiveProperty(path).getValue().getSelectables().stream()
                    .filter(Column.class::isInstance)
                    .map(column -> nameOf((Column) column));
        } catch (MappingException e) {
            LOG.debug("{}.{} is a part of the id, whose columns are known", entity.getEntityName(), path, e);
            return Stream.of();
        }
    }

    /** Returns the columns of each unique key. */
    private static Stream<List<String>> uniqueIn(Table table) {
        return Stream.concat(
                        table.getColumns().stream().filter(Column::isUnique).map(List::of),
                        table.getUniqueKeys().values().stream().map(Constraint::getColumns))
                .map(key -> key.stream().map(ColocatedKeys::nameOf).toList());
    }

    private static String nameOf(Table table) {
        return MappedTables.stored(table.getName(), table.isQuoted());
    }

    private static String nameOf(Column column) {
        return MappedTables.stored(column.getName(), column.isQuoted());
    }
}
