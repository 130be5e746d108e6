package io.github.shardedid.hibernate.internal.mapping;

import io.github.shardedid.hibernate.internal.mapping.Associations.MappedValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.hibernate.MappingException;
import org.hibernate.boot.Metadata;
import org.hibernate.mapping.Collection;
import org.hibernate.mapping.Column;
import org.hibernate.mapping.ForeignKey;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.Table;
import org.hibernate.mapping.ToOne;
import org.hibernate.mapping.UnionSubclass;
import org.hibernate.mapping.Value;
import org.jspecify.annotations.Nullable;

/**
 * How the rows of a shard refer to each other by the mappings, with names as PostgreSQL stores them, and by which of these references a
 * row lives with the row that it refers to. Read once, from the boot model; not changed afterwards.
 *
 * <p>A row lives with another one by a single rule for each kind of table:
 *
 * <ol>
 *   <li>the table of an entity: by the columns of the shard key, if that refers to a row; without a shard key, by the column of a
 *       collection that saves it by cascade;
 *   <li>further tables of an entity (subclasses, secondary tables): by their key;
 *   <li>a table of a collection: by its key and, of a many-to-many association, by its element;
 *   <li>an audit table: by the id of the audited row and, since that row may be deleted, by the columns of the first rule.
 * </ol>
 *
 * All other references are those of rows that live elsewhere.
 */
public final class RowReferences {
    private final ShardedMappings mappings;
    private final Metadata metadata;
    private final Map<String, Set<String>> ids;
    private final Set<Reference> references = new LinkedHashSet<>();
    private final Map<String, Set<List<String>>> owners = new HashMap<>();
    private final Map<String, String> unsupported = new HashMap<>();
    private final Set<Foreign> foreign = new LinkedHashSet<>();
    private final Map<String, Table> roots = new HashMap<>();

    /**
     * Columns that refer to rows of a table.
     *
     * @param table the table with the columns
     */
    public record Reference(String table, List<String> columns, String target, List<String> targetColumns) {}

    /**
     * An attribute with {@code @ForeignShard}, whose rows may be in any shard.
     *
     * @param attribute the entity's name and the attribute
     * @param target the table of the rows that it refers to
     */
    public record Foreign(String attribute, String table, List<String> columns, String target) {
        @Override
        public String toString() {
            return attribute + " (" + table + "." + String.join(", ", columns) + ")";
        }
    }

    /** Reads them, after the mappings and the columns with ids of the row's own shard, by table. */
    public RowReferences(Metadata metadata, ShardedMappings mappings, Map<String, Set<String>> ids) {
        this.ids = ids;
        this.metadata = metadata;
        this.mappings = mappings;
        Set<List<String>> elsewhere = new HashSet<>();
        for (MappedValue<?> value : Associations.values(metadata)) {
            if (value.foreign() && value.value() instanceof ToOne one) {
                elsewhere.add(place(one.getTable(), namesOf(one.getColumns())));
                PersistentClass target = metadata.getEntityBinding(one.getReferencedEntityName());
                foreign.add(new Foreign(
                        value.toString(),
                        nameOf(one.getTable()),
                        namesOf(one.getColumns()),
                        nameOf(target.getRootTable())));
            }
        }
        for (PersistentClass entity : metadata.getEntityBindings()) {
            ShardedMapping mapping = mappings.find(entity.getEntityName());
            if (mapping != null) {
                roots.put(entity.getEntityName(), entity.getRootTable());
                readOwner(entity, mapping);
                entity.getTable().getForeignKeyCollection().forEach(key -> add(key, elsewhere));
                entity.getJoins()
                        .forEach(join -> join.getTable().getForeignKeyCollection().forEach(key -> add(key, elsewhere)));
            }
        }
        for (Collection collection : metadata.getCollectionBindings()) {
            if (mappings.find(collection.getOwnerEntityName()) != null) {
                readOwner(collection);
                collection.getCollectionTable().getForeignKeyCollection().forEach(key -> add(key, elsewhere));
            }
        }
        readAuditTables();
    }

    /** Returns the references of the mappings, with and without foreign keys in the databases. */
    public Set<Reference> references() {
        return references;
    }

    /** Returns the attributes that refer to rows of any shard. */
    public Set<Foreign> foreign() {
        return foreign;
    }

    /** Returns the columns of a table whose ids name the row's own shard. */
    public Set<String> ids(String table) {
        return ids.getOrDefault(table, Set.of());
    }

    /** Returns the table of an entity's hierarchy and the columns of its id. */
    public Reference root(String entity) {
        Table table = roots.get(entity);
        return new Reference(nameOf(table), primaryKey(table), nameOf(table), primaryKey(table));
    }

    /** Returns why it is not known what lives with the rows of a table; null if it is. */
    public @Nullable String obstacle(String table) {
        return unsupported.get(table);
    }

    /** Returns whether rows live with those that they refer to by some columns; null if the table is not mapped. */
    public @Nullable Boolean owns(String table, List<String> columns) {
        Set<List<String>> known = owners.get(table);
        return known == null ? null : known.stream().anyMatch(columns::containsAll);
    }

    private void readOwner(PersistentClass entity, ShardedMapping mapping) {
        Table root = entity.getRootTable();
        owner(root, List.of());
        if (entity instanceof UnionSubclass) {
            unsupported.put(nameOf(root), entity.getEntityName() + " has a table per class");
            unsupported.put(nameOf(entity.getTable()), entity.getEntityName() + " has a table per class");
            return;
        }
        if (!entity.getTable().equals(root)) {
            owner(entity.getTable(), namesOf(entity.getKey().getColumns()));
        }
        entity.getJoins().forEach(join -> owner(join.getTable(), namesOf(join.getKey().getColumns())));
        ShardKeyAttribute key = mapping.key();
        PersistentClass target = key == null || key.target() == null ? null : metadata.getEntityBinding(key.target());
        if (key == null || target == null) {
            return;
        }
        List<String> columns = keyColumns(entity, mapping, key);
        owner(root, columns);
        if (!primaryKey(root).containsAll(columns) && columns.stream().noneMatch(each -> has(root, each))) {
            unsupported.put(nameOf(target.getRootTable()), key + " is not in the table of the hierarchy's root");
        }
        if (key.kind() == ShardKeyAttribute.Kind.REFERENCE && columns.size() == 1) {
            references.add(reference(root, columns, target.getRootTable()));
        }
    }

    private static List<String> keyColumns(PersistentClass entity, ShardedMapping mapping, ShardKeyAttribute key) {
        IdPart part = mapping.idPart();
        if (part != null && mapping.isKeyInId()) {
            List<Column> id = entity.getIdentifier().getColumns();
            return namesOf(part.columns().stream().map(id::get).toList());
        }
        try {
            return namesOf(entity.getRecursiveProperty(key.name()).getValue().getColumns());
        } catch (MappingException ofId) {
            return primaryKey(entity.getRootTable());
        }
    }

    private void readOwner(Collection collection) {
        Value element = collection.getElement();
        List<String> key = namesOf(collection.getKey().getColumns());
        if (!collection.isOneToMany()) {
            owner(collection.getCollectionTable(), key);
            if (element instanceof ToOne) {
                owner(collection.getCollectionTable(), namesOf(element.getColumns()));
            }
        } else if (mappings.mayBeSavedByCascade(String.valueOf(Associations.referenced(element)))) {
            owner(collection.getCollectionTable(), key);
        }
    }

    /** Audit tables have the columns of the audited ones, and no foreign keys to them. */
    private void readAuditTables() {
        Map<String, Table> audits = new HashMap<>();
        Map<String, Table> audited = new HashMap<>();
        for (PersistentClass entity : metadata.getEntityBindings()) {
            String of = mappings.auditTables().auditedBy(entity.getEntityName());
            PersistentClass original = of == null ? null : metadata.getEntityBinding(of);
            if (of != null) {
                Table table = original == null ? collectionTable(of) : original.getTable();
                if (table == null) {
                    unsupported.put(nameOf(entity.getTable()), "nothing is known of what it audits");
                } else {
                    audits.put(nameOf(table), entity.getTable());
                    audited.put(nameOf(table), table);
                    references.add(new Reference(nameOf(entity.getTable()), primaryKey(table), nameOf(table), primaryKey(table)));
                    owner(entity.getTable(), primaryKey(table));
                }
            }
        }
        for (Reference each : List.copyOf(references)) {
            Table audit = audits.get(each.table());
            if (audit != null && Boolean.TRUE.equals(owns(each.table(), each.columns()))) {
                addAudit(audit, each.columns(), each.target(), each.targetColumns());
                Table ofTarget = audits.get(each.target());
                if (ofTarget != null) {
                    addAudit(audit, each.columns(), nameOf(ofTarget), each.targetColumns());
                }
            }
        }
    }

    private void addAudit(Table audit, List<String> columns, String target, List<String> targetColumns) {
        if (columns.stream().allMatch(each -> has(audit, each))) {
            owner(audit, columns);
            references.add(new Reference(nameOf(audit), columns, target, targetColumns));
        }
    }

    private @Nullable Table collectionTable(String name) {
        return metadata.getCollectionBindings().stream()
                .map(Collection::getCollectionTable)
                .filter(table -> table.getName().equals(name))
                .findFirst()
                .orElse(null);
    }

    private void add(ForeignKey key, Set<List<String>> elsewhere) {
        List<String> columns = namesOf(key.getColumns());
        if (key.getReferencedTable() != null && !elsewhere.contains(place(key.getTable(), columns))) {
            references.add(
                    key.isReferenceToPrimaryKey()
                            ? reference(key.getTable(), columns, key.getReferencedTable())
                            : new Reference(
                                    nameOf(key.getTable()),
                                    columns,
                                    nameOf(key.getReferencedTable()),
                                    namesOf(key.getReferencedColumns())));
        }
    }

    private static Reference reference(Table table, List<String> columns, Table target) {
        return new Reference(nameOf(table), columns, nameOf(target), primaryKey(target));
    }

    private void owner(Table table, List<String> columns) {
        Set<List<String>> known = owners.computeIfAbsent(nameOf(table), name -> new HashSet<>());
        if (!columns.isEmpty()) {
            known.add(columns);
        }
    }

    private static List<String> place(Table table, List<String> columns) {
        List<String> place = new ArrayList<>(columns);
        place.add(0, nameOf(table));
        return place;
    }

    private static List<String> primaryKey(Table table) {
        return table.getPrimaryKey() == null ? List.of() : namesOf(table.getPrimaryKey().getColumns());
    }

    private static boolean has(Table table, String column) {
        return namesOf(List.copyOf(table.getColumns())).contains(column);
    }

    private static List<String> namesOf(List<Column> columns) {
        return columns.stream()
                .map(column -> MappedTables.stored(column.getName(), column.isQuoted()))
                .toList();
    }

    private static String nameOf(Table table) {
        return MappedTables.stored(table.getName(), table.isQuoted());
    }
}
