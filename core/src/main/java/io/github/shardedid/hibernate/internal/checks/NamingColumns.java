package io.github.shardedid.hibernate.internal.checks;

import io.github.shardedid.hibernate.internal.mapping.Associations;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hibernate.MappingException;
import org.hibernate.boot.Metadata;
import org.hibernate.mapping.Collection;
import org.hibernate.mapping.Column;
import org.hibernate.mapping.Constraint;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Table;
import org.hibernate.mapping.Value;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The columns that determine the shard of a row: a unique key with none of them holds within each shard only. */
public final class NamingColumns {
    private static final Logger LOG = LoggerFactory.getLogger(NamingColumns.class);

    private NamingColumns() {}

    /** The columns, by the tables of sharded entities and of their collections as PostgreSQL names them. */
    public static Map<String, Set<String>> of(Metadata metadata, ShardedMappings mappings) {
        Map<String, Set<String>> naming = new HashMap<>();
        byTable(metadata, mappings)
                .forEach((table, columns) -> naming.computeIfAbsent(nameOf(table), name -> new HashSet<>())
                        .addAll(columns));
        return naming;
    }

    /** The unique keys of the mappings that hold within each shard only, each as {@code table (column, column)}. */
    public static List<String> uniqueInShards(Metadata metadata, ShardedMappings mappings) {
        Map<String, Set<String>> naming = of(metadata, mappings);
        return byTable(metadata, mappings).keySet().stream()
                .flatMap(table -> uniqueIn(table)
                        .filter(names -> Collections.disjoint(names, naming.get(nameOf(table))))
                        .map(names -> nameOf(table) + " (" + String.join(", ", names) + ")"))
                .sorted()
                .distinct()
                .toList();
    }

    private static Map<Table, Set<String>> byTable(Metadata metadata, ShardedMappings mappings) {
        Map<Table, Set<String>> naming = new HashMap<>();
        for (PersistentClass entity : metadata.getEntityBindings()) {
            ShardedMapping mapping = mappings.find(entity.getEntityName());
            if (mapping != null) {
                add(naming, entity.getTable(), columns(entity, mapping));
                entity.getJoins().forEach(join -> add(naming, join.getTable(), ofRow(mapping, join.getKey())));
            }
        }
        for (Collection collection : metadata.getCollectionBindings()) {
            ShardedMapping owner = mappings.find(collection.getOwnerEntityName());
            if (owner != null && !collection.isOneToMany()) {
                add(naming, collection.getCollectionTable(), ofRow(owner, collection.getKey()));
            }
        }
        for (Associations.ToOneAttribute reference : Associations.toOnes(metadata)) {
            ShardedMapping target = mappings.find(reference.value().getReferencedEntityName());
            Set<String> known = naming.get(reference.value().getTable());
            if (target != null && known != null) {
                known.addAll(ofRow(target, reference.value()));
            }
        }
        return naming;
    }

    private static void add(Map<Table, Set<String>> naming, Table table, Set<String> columns) {
        if (table.isPhysicalTable()) {
            naming.computeIfAbsent(table, added -> new HashSet<>()).addAll(columns);
        }
    }

    /** The columns of a reference to a row, in the shard of that row. */
    private static Set<String> ofRow(ShardedMapping mapping, Value reference) {
        return mapping.idNamesShard() ? columns(reference) : Set.of();
    }

    /** The columns of each unique key. */
    private static Stream<List<String>> uniqueIn(Table table) {
        return Stream.concat(
                        table.getColumns().stream().filter(Column::isUnique).map(List::of),
                        table.getUniqueKeys().values().stream().map(Constraint::getColumns))
                .map(key -> key.stream()
                        .map(column -> stored(column.getName(), column.isQuoted()))
                        .toList());
    }

    private static String nameOf(Table table) {
        return stored(table.getName(), table.isQuoted());
    }

    private static Set<String> columns(PersistentClass entity, ShardedMapping mapping) {
        Set<String> columns = new HashSet<>(mapping.parents().size() + 2);
        columns.addAll(ofRow(mapping, entity.getKey()));
        if (mapping.key() != null) {
            columns.addAll(columns(entity, mapping.key().name()));
        }
        mapping.parents().keySet().forEach(parent -> columns.addAll(columns(entity, parent)));
        return columns;
    }

    private static Set<String> columns(PersistentClass entity, String path) {
        try {
            return columns(entity.getRecursiveProperty(path).getValue());
        } catch (MappingException e) {
            LOG.debug("{}.{} is a part of the id, whose columns are known", entity.getEntityName(), path, e);
            return Set.of();
        }
    }

    private static Set<String> columns(Value value) {
        return value.getSelectables().stream()
                .filter(Column.class::isInstance)
                .map(Column.class::cast)
                .map(column -> stored(column.getName(), column.isQuoted()))
                .collect(Collectors.toSet());
    }

    private static String stored(String name, boolean quoted) {
        return quoted ? name : name.toLowerCase(Locale.ROOT);
    }
}
