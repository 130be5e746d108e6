package io.github.shardedid.hibernate.internal.rows;

import io.github.shardedid.hibernate.internal.mapping.Associations;
import io.github.shardedid.hibernate.internal.mapping.Associations.MappedValue;
import io.github.shardedid.hibernate.internal.mapping.IdPart;
import io.github.shardedid.hibernate.internal.mapping.MappedTables;
import io.github.shardedid.hibernate.internal.mapping.ShardKeyAttribute;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import jakarta.persistence.OneToMany;
import java.lang.reflect.AnnotatedElement;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.hibernate.MappingException;
import org.hibernate.PropertyNotFoundException;
import org.hibernate.boot.Metadata;
import org.hibernate.engine.spi.CascadeStyle;
import org.hibernate.engine.spi.CascadingActions;
import org.hibernate.mapping.Collection;
import org.hibernate.mapping.Column;
import org.hibernate.mapping.ManyToOne;
import org.hibernate.mapping.OneToOne;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.Table;
import org.hibernate.mapping.ToOne;
import org.hibernate.mapping.UnionSubclass;
import org.hibernate.mapping.Value;
import org.jspecify.annotations.Nullable;

/**
 * The references between the tables of a shard, as the mappings say, and by which of them a row lives with the row that it refers to. Names
 * are as PostgreSQL stores them. Read once, from the boot model; not changed afterwards.
 *
 * <ol>
 *   <li>The rows of an entity live with those that their shard key refers to; without a shard key, with those of a
 *       collection that saves them by cascade, or of an association, such as {@code @OneToOne}, of one row with each that is removed by cascade.
 *   <li>The rows of its further tables (subclasses, secondary tables) live with those of its first one.
 *   <li>The rows of a collection live with its owner and, of a many-to-many association, also with its element.
 * </ol>
 *
 * By all other references, rows live elsewhere. Audit tables are only reported: how long they are kept is not for a mapping to say.
 */
public final class RowReferences {
    private final ShardedMappings mappings;
    /** The table of each entity's hierarchy. */
    private final Map<String, String> roots = new HashMap<>();

    private final Map<Reference, Kind> all = new LinkedHashMap<>();
    private final Map<String, String> obstacles = new HashMap<>();

    /** What columns mean. */
    enum Kind {
        /** A row lives with the one that it refers to. */
        OWNS,
        /** A row refers to another one. */
        REFERS,
        /** A row may have been saved by cascade from one that refers to it, as others may do, too. */
        SAVED,
        /** The id of an entity, which is no reference: ids of two tables may be equal. */
        ID,
        /** The same, where ids name no shard: small numbers, perhaps, that are in other columns, too. */
        NUMBER,
        /** The shard key of an entity, a text or number that rows of several tables may have. */
        KEY,
        /** They may have ids of erased rows: those of an audit table, all without names, and of references to rows in any shard. */
        REPORTED
    }

    /**
     * Columns that refer to rows of a table.
     *
     * @param table the table with the columns
     */
    record Reference(String table, List<String> columns, String target, List<String> targetColumns) {
        boolean fits() {
            return columns.size() == targetColumns.size();
        }

        /** Returns the fields of a JSON object. */
        private String json() {
            return "\"tab\":" + json(table) + ",\"cols\":" + json(columns) + ",\"target\":" + json(target)
                    + ",\"keys\":" + json(targetColumns);
        }

        private static String json(List<String> names) {
            return names.stream().map(Reference::json).collect(Collectors.joining(",", "[", "]"));
        }

        private static String json(String name) {
            return '"' + name.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
        }
    }

    /** Reads them. */
    public RowReferences(Metadata metadata, ShardedMappings mappings) {
        this.mappings = mappings;
        for (PersistentClass entity : metadata.getEntityBindings()) {
            ShardedMapping mapping = mappings.find(entity.getEntityName());
            if (mapping != null) {
                roots.put(entity.getEntityName(), nameOf(entity.getRootTable()));
                add(metadata, entity, mapping);
            } else if (mappings.auditTables().isTable(entity.getEntityName())) {
                add(entity.getTable(), List.of(), entity.getTable(), Kind.REPORTED);
            }
        }
        for (Collection collection : metadata.getCollectionBindings()) {
            if (mappings.find(collection.getOwnerEntityName()) != null) {
                add(metadata, collection);
            }
        }
        for (MappedValue<?> value : Associations.values(metadata)) {
            boolean refers = value.value() instanceof ManyToOne many && many.isReferenceToPrimaryKey();
            // Without columns, of a formula or of the inverse side, nothing is stored that refers.
            if (value.value() instanceof ToOne one
                    && (refers || value.foreign())
                    && !columns(one).isEmpty()) {
                Table target = table(metadata, one.getReferencedEntityName());
                add(one.getTable(), columns(one), target, value.foreign() ? Kind.REPORTED : Kind.REFERS);
                if (refers && !value.foreign()) {
                    addSaved(value, one, target);
                }
            }
        }
    }

    /** The row lives with the one that refers to it if no other one may do so, and Hibernate would remove it, too. */
    private void addSaved(MappedValue<?> value, ToOne one, Table target) {
        ShardedMapping mapping = mappings.find(one.getReferencedEntityName());
        Property property = value.property();
        Reference reference =
                new Reference(nameOf(one.getTable()), namesOf(columns(one)), nameOf(target), namesOf(target));
        boolean isKey = property != null && property.getValue() == one && all.get(reference) == Kind.OWNS;
        if (property == null || isKey || mapping == null || mapping.key() != null || mapping.idPart() != null) {
            return;
        }
        CascadeStyle style = property.getCascadeStyle();
        boolean owns = style.doCascade(CascadingActions.REMOVE) && isOfOne(value, property, one);
        if (owns) {
            all.put(reference, Kind.REFERS); // Also of a join table.
        }
        if (owns || style.doCascade(CascadingActions.PERSIST) || style.doCascade(CascadingActions.MERGE)) {
            Reference saved = new Reference(
                    /* table= */ reference.target(),
                    /* columns= */ reference.targetColumns(),
                    /* target= */ reference.table(),
                    /* targetColumns= */ reference.columns());
            all.put(saved, owns ? Kind.OWNS : Kind.SAVED);
        }
    }

    /** The element of a many-to-many association may have several owners, as may the one row of a many-to-one association. */
    private static boolean isOfOne(MappedValue<?> value, Property property, ToOne one) {
        if (property.getValue() == one) {
            return one.getColumns().stream().allMatch(Column::isUnique);
        }
        try {
            return property.getGetter(value.owner().getMappedClass()).getMember() instanceof AnnotatedElement attribute
                    && attribute.isAnnotationPresent(OneToMany.class);
        } catch (PropertyNotFoundException withinAnEmbeddable) {
            return false;
        }
    }

    /** Returns them as JSON. */
    String json() {
        return all.entrySet().stream()
                .map(each ->
                        "{\"kind\":\"" + each.getValue() + "\"," + each.getKey().json() + "}")
                .collect(Collectors.joining(",", "[", "]"));
    }

    /** Returns the table of the hierarchy of a sharded entity. */
    String root(String entity) {
        return Objects.requireNonNull(roots.get(entity), entity);
    }

    /** Returns why it is not known what lives with the rows of a table; null if it is. */
    @Nullable
    String obstacle(String table) {
        return obstacles.get(table);
    }

    private void add(Metadata metadata, PersistentClass entity, ShardedMapping mapping) {
        Table root = entity.getRootTable();
        add(root, root.getPrimaryKey().getColumns(), root, mapping.idNamesShard() ? Kind.ID : Kind.NUMBER);
        if (root.getPrimaryKey().getColumnSpan() != 1) {
            obstacles.put(nameOf(root) + " ", "its id has several columns"); // As the root only.
        }
        if (entity != entity.getRootClass()) {
            obstacles.put(
                    entity.getEntityName(),
                    "it may have a row of another subclass with this id; name the root of the hierarchy, "
                            + entity.getRootClass().getEntityName());
        }
        if (!entity.getTable().equals(root)) {
            add(entity.getTable(), entity.getKey().getColumns(), root, Kind.OWNS);
        }
        if (entity instanceof UnionSubclass) {
            obstacles.put(nameOf(root), entity.getEntityName() + " has a table per class");
            obstacles.put(nameOf(entity.getTable()), entity.getEntityName() + " has a table per class");
        }
        entity.getJoins()
                .forEach(join -> add(join.getTable(), join.getKey().getColumns(), entity.getTable(), Kind.OWNS));
        ShardKeyAttribute key = mapping.key();
        if (key != null) {
            add(metadata, root, keyColumns(entity, mapping, key), key);
        }
    }

    private void add(Metadata metadata, Table root, List<Column> columns, ShardKeyAttribute key) {
        String target = key.target();
        if (target == null) {
            add(root, columns, root, Kind.KEY);
            return;
        }
        Table owner = table(metadata, target);
        add(root, columns, owner, Kind.OWNS);
        if (!root.getColumns().containsAll(columns)) {
            obstacles.put(nameOf(owner), key + " is not in the table of the hierarchy's root");
        }
    }

    private static List<Column> keyColumns(PersistentClass entity, ShardedMapping mapping, ShardKeyAttribute key) {
        IdPart part = mapping.idPart();
        if (part != null && mapping.isKeyInId()) {
            List<Column> id = entity.getIdentifier().getColumns();
            return part.columns().stream().map(id::get).toList();
        }
        try {
            Value value = entity.getRecursiveProperty(key.name()).getValue();
            // A row with @MapsId refers by its id; the association has no columns.
            return columns(value instanceof OneToOne ? entity.getIdentifier() : value);
        } catch (MappingException unknown) {
            return List.of(); // An obstacle to what it refers to.
        }
    }

    private void add(Metadata metadata, Collection collection) {
        Table table = collection.getCollectionTable();
        List<Column> key = columns(collection.getKey());
        String element = Associations.referenced(collection.getElement());
        if (!collection.isOneToMany() || (element != null && mappings.mayBeSavedByCascade(element))) {
            add(table, key, collection.getOwner().getTable(), Kind.OWNS);
        }
        if (!collection.isOneToMany() && mappings.find(element) != null) {
            add(table, columns(collection.getElement()), table(metadata, element), Kind.OWNS);
        }
    }

    private void add(Table table, List<Column> columns, Table target, Kind kind) {
        Reference reference = new Reference(nameOf(table), namesOf(columns), nameOf(target), namesOf(target));
        if (reference.fits() || kind == Kind.REPORTED || kind == Kind.KEY) {
            all.merge(reference, kind, (known, other) -> known == Kind.REFERS ? other : known);
        } else if (kind == Kind.OWNS) {
            obstacles.put(reference.target(), "a reference of " + reference.table() + " is not to its primary key");
        }
    }

    /** Returns the columns of a value; none, which is an obstacle to what it refers to, if a formula computes it. */
    private static List<Column> columns(Value value) {
        return value.hasFormula() ? List.of() : value.getColumns();
    }

    private static Table table(Metadata metadata, @Nullable String entity) {
        return metadata.getEntityBinding(entity).getRootTable();
    }

    private static List<String> namesOf(Table target) {
        return target.getPrimaryKey() == null
                ? List.of()
                : namesOf(target.getPrimaryKey().getColumns());
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
