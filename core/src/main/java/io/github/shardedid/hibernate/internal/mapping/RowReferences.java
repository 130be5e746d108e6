package io.github.shardedid.hibernate.internal.mapping;

import io.github.shardedid.hibernate.internal.mapping.Associations.MappedValue;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.hibernate.MappingException;
import org.hibernate.boot.Metadata;
import org.hibernate.mapping.Collection;
import org.hibernate.mapping.Column;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Table;
import org.hibernate.mapping.ToOne;
import org.hibernate.mapping.UnionSubclass;
import org.jspecify.annotations.Nullable;

/**
 * By which references a row lives with the row that it refers to, as the mappings say, with names as PostgreSQL stores them. Read once, from
 * the boot model; not changed afterwards.
 *
 * <ol>
 *   <li>The rows of an entity live with those that their shard key refers to; without a shard key, with those of a
 *       collection that saves them by cascade.
 *   <li>The rows of its further tables (subclasses, secondary tables) live with those of its first one.
 *   <li>The rows of a collection live with its owner and, of a many-to-many association, also with its element.
 *   <li>The rows of an audit table live with the audited row and, since that may be deleted, with those of the first rule and
 *       their audit rows.
 * </ol>
 *
 * All other references are those of rows that live elsewhere.
 */
public final class RowReferences {
    /** Stands for each table. */
    private static final String ANY = "";

    private final ShardedMappings mappings;
    private final Metadata metadata;
    private final Map<String, Set<String>> ids;
    private final Set<Reference> owners = new LinkedHashSet<>();
    private final Set<String> mapped = new LinkedHashSet<>();
    private final Map<String, String> obstacles = new HashMap<>();
    private final Map<String, String> foreign = new TreeMap<>();
    private @Nullable String revisions;

    /**
     * Columns that refer to rows of a table.
     *
     * @param table the table with the columns
     */
    public record Reference(String table, List<String> columns, String target, List<String> targetColumns) {}

    /** Reads them, after the mappings and the columns with ids of the row's own shard, by table. */
    public RowReferences(Metadata metadata, ShardedMappings mappings, Map<String, Set<String>> ids) {
        this.metadata = metadata;
        this.mappings = mappings;
        this.ids = ids;
        for (MappedValue<?> value : Associations.values(metadata)) {
            if (value.foreign() && value.value() instanceof ToOne one) {
                foreign.put(
                        value + " (" + nameOf(one.getTable()) + "." + String.join(", ", namesOf(one.getColumns()))
                                + ")",
                        nameOf(metadata.getEntityBinding(one.getReferencedEntityName())
                                .getRootTable()));
            }
        }
        for (PersistentClass entity : metadata.getEntityBindings()) {
            ShardedMapping mapping = mappings.find(entity.getEntityName());
            if (mapping != null) {
                add(entity, mapping);
            }
        }
        for (Collection collection : metadata.getCollectionBindings()) {
            if (mappings.find(collection.getOwnerEntityName()) != null) {
                add(collection);
            }
        }
        addAuditTables();
    }

    /** Returns the references by which rows live with others, with and without foreign keys in the databases. */
    public Set<Reference> owners() {
        return owners;
    }

    /** Returns whether rows live with those that they refer to by some columns; null if the table is not mapped. */
    public @Nullable Boolean owns(String table, List<String> columns) {
        return mapped.contains(table)
                ? owners.stream().anyMatch(each -> each.table().equals(table) && columns.containsAll(each.columns()))
                : null;
    }

    /** Returns the attributes that refer to rows of any shard, and the tables of these. */
    public Map<String, String> foreign() {
        return foreign;
    }

    /** Returns the columns of a table whose ids name the row's own shard. */
    public Set<String> ids(String table) {
        return ids.getOrDefault(table, Set.of());
    }

    /** Returns the table of the revisions, which the audit rows of several keys may share; null without one. */
    public @Nullable String revisions() {
        return revisions;
    }

    /** Returns the table of an entity's hierarchy and the columns of its id. */
    public Reference root(String entity) {
        Table table = metadata.getEntityBinding(entity).getRootTable();
        return new Reference(nameOf(table), primaryKey(table), nameOf(table), primaryKey(table));
    }

    /** Returns why it is not known what lives with the rows of a table; null if it is. */
    public @Nullable String obstacle(String table) {
        return obstacles.getOrDefault(table, obstacles.get(ANY));
    }

    private void add(PersistentClass entity, ShardedMapping mapping) {
        Table root = entity.getRootTable();
        mapped.add(nameOf(root));
        if (mappings.auditTables().isRevision(entity.getEntityName())) {
            revisions = nameOf(root);
        }
        if (!entity.getTable().equals(root)) {
            if (entity instanceof UnionSubclass) {
                obstacles.put(nameOf(root), entity.getEntityName() + " has a table per class");
                obstacles.put(nameOf(entity.getTable()), entity.getEntityName() + " has a table per class");
            }
            own(entity.getTable(), namesOf(entity.getKey().getColumns()), root);
        }
        entity.getJoins()
                .forEach(join -> own(join.getTable(), namesOf(join.getKey().getColumns()), entity.getTable()));
        ShardKeyAttribute key = mapping.key();
        if (key != null && key.target() != null) {
            Table target = metadata.getEntityBinding(key.target()).getRootTable();
            List<String> columns = keyColumns(entity, mapping, key);
            own(root, columns, target);
            if (!namesOf(List.copyOf(root.getColumns())).containsAll(columns)) {
                obstacles.put(nameOf(target), key + " is not in the table of the hierarchy's root");
            }
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
        } catch (MappingException unknown) {
            return List.of(); // Rows of this table then obstruct what they refer to.
        }
    }

    private void add(Collection collection) {
        Table table = collection.getCollectionTable();
        List<String> key = namesOf(collection.getKey().getColumns());
        if (!collection.isOneToMany()) {
            own(table, key, collection.getOwner().getTable());
            if (collection.getElement() instanceof ToOne element) {
                PersistentClass target = metadata.getEntityBinding(element.getReferencedEntityName());
                own(table, namesOf(element.getColumns()), target.getTable());
            }
        } else if (mappings.mayBeSavedByCascade(String.valueOf(Associations.referenced(collection.getElement())))) {
            own(table, key, collection.getOwner().getTable());
        }
    }

    /**
     * Audit tables have the columns of the audited ones, and no foreign keys to them. The audit row of a deletion has only the id: if
     * the audited row is gone, it is found by other audit rows with the same id.
     */
    private void addAuditTables() {
        Map<String, Table> audits = new HashMap<>();
        Map<String, List<String>> keys = new HashMap<>();
        for (PersistentClass entity : metadata.getEntityBindings()) {
            String of = mappings.auditTables().auditedBy(entity.getEntityName());
            if (of != null) {
                PersistentClass original = metadata.getEntityBinding(of);
                Table table = original == null ? collectionTable(of) : original.getTable();
                if (table == null) {
                    obstacles.put(ANY, "it is not known what " + entity.getEntityName() + " audits");
                } else {
                    audits.put(nameOf(table), entity.getTable());
                    if (original != null) {
                        keys.put(nameOf(entity.getTable()), primaryKey(table));
                    }
                    own(entity.getTable(), primaryKey(table), table);
                }
            }
        }
        for (Reference each : List.copyOf(owners)) {
            Table audit = audits.get(each.table());
            if (audit != null && namesOf(List.copyOf(audit.getColumns())).containsAll(each.columns())) {
                List<String> key = keys.getOrDefault(nameOf(audit), each.columns());
                if (!key.equals(each.columns())) {
                    owners.add(new Reference(nameOf(audit), key, nameOf(audit), key));
                }
                owners.add(new Reference(nameOf(audit), each.columns(), each.target(), each.targetColumns()));
                Table ofTarget = audits.get(each.target());
                if (ofTarget != null) {
                    owners.add(new Reference(nameOf(audit), each.columns(), nameOf(ofTarget), each.targetColumns()));
                }
            }
        }
    }

    private @Nullable Table collectionTable(String name) {
        return metadata.getCollectionBindings().stream()
                .map(Collection::getCollectionTable)
                .filter(table -> table.getName().equals(name))
                .findFirst()
                .orElse(null);
    }

    private void own(Table table, List<String> columns, Table target) {
        mapped.add(nameOf(table));
        if (!columns.isEmpty() && columns.size() == primaryKey(target).size()) {
            owners.add(new Reference(nameOf(table), columns, nameOf(target), primaryKey(target)));
        }
    }

    private static List<String> primaryKey(Table table) {
        return table.getPrimaryKey() == null
                ? List.of()
                : namesOf(table.getPrimaryKey().getColumns());
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
