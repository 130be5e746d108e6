package io.github.shardedid.hibernate.internal.rows;

import io.github.shardedid.hibernate.RowsRefusedException;
import io.github.shardedid.hibernate.internal.mapping.RowReferences;
import io.github.shardedid.hibernate.internal.mapping.RowReferences.Reference;
import io.github.shardedid.hibernate.internal.rows.ShardCatalog.Table;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The tables with rows that live with a root row, and their references. Immutable.
 *
 * <ol>
 *   <li>The references of the mappings and the foreign keys of the catalog are one set. A foreign key with ON DELETE CASCADE
 *       says that rows live with the one that they refer to; for the others, the mappings say so. In a table that is not mapped, the only
 *       foreign key does, and those within the primary key, as in a join table.
 *   <li>From the root's table, the tables that live with it are found.
 *   <li>These are ordered, children first. A reference that may be null, and by which rows do not live, can be set to null
 *       first: so it is left out where there is no order otherwise.
 * </ol>
 *
 * @param tables children first; the root's is the last one
 * @param edges the references to these tables, of any table of the shard
 * @param late the references that are set after all rows are stored, and to null before any is deleted
 */
record RowGraph(Reference root, ShardCatalog catalog, List<String> tables, List<Edge> edges, Set<Edge> late) {
    /**
     * A reference between two tables.
     *
     * @param owns whether a row lives with the one that it refers to
     * @param constraint whether the database checks it
     * @param clears whether the database sets it to null or to a default when the row that it refers to is deleted
     */
    record Edge(Reference reference, boolean owns, boolean constraint, boolean clears) {
        String table() {
            return reference.table();
        }

        List<String> columns() {
            return reference.columns();
        }

        String target() {
            return reference.target();
        }

        boolean isSelf() {
            return table().equals(target());
        }

        @Override
        public String toString() {
            return table() + " (" + String.join(", ", columns()) + ") → " + target();
        }
    }

    static RowGraph of(Reference root, RowReferences mapped, ShardCatalog catalog) {
        List<Edge> all = edges(mapped, catalog);
        Set<String> reached = new LinkedHashSet<>(Set.of(root.table()));
        while (all.stream()
                .anyMatch(each -> each.owns() && reached.contains(each.target()) && reached.add(each.table()))) {
            // One more table in each round.
        }
        List<Edge> edges = all.stream()
                .filter(each -> reached.contains(each.target()))
                .filter(each -> !each.table().equals(root.table()) || each.isSelf() || !each.owns())
                .toList();
        RowGraph graph = new RowGraph(root, catalog, new ArrayList<>(), edges, new LinkedHashSet<>());
        for (String table : reached) {
            String obstacle = mapped.obstacle(table);
            Table found = catalog.tables().get(table);
            if (obstacle == null && found != null && found.primaryKey().isEmpty() && found.partitioned()) {
                obstacle = "a partitioned table without a primary key does not identify its rows";
            } else if (obstacle == null && graph.trees(table).size() > 1) {
                obstacle = "rows of the table live with others of it by several references: " + graph.trees(table);
            }
            if (obstacle != null || found == null) {
                throw new RowsRefusedException("It is not known which rows of table " + table + " live with those of "
                        + root.table() + ": " + (obstacle == null ? "the shard has no such table" : obstacle)
                        + ". Nothing was done. Handle the rows of this entity in the application.");
            }
        }
        graph.order(new LinkedHashSet<>(reached));
        return graph;
    }

    private static List<Edge> edges(RowReferences mapped, ShardCatalog catalog) {
        Map<Reference, Edge> all = new LinkedHashMap<>();
        catalog.keys().forEach((key, action) -> {
            boolean owns = action.equals("c") || owns(key, mapped, catalog);
            all.put(key, new Edge(key, owns, true, action.equals("n") || action.equals("d")));
        });
        for (Reference each : mapped.owners()) {
            Table table = catalog.tables().get(each.table());
            if (table != null && catalog.tables().containsKey(each.target())) {
                all.putIfAbsent(each, new Edge(each, true, false, false));
            }
        }
        return List.copyOf(all.values());
    }

    private static boolean owns(Reference key, RowReferences mapped, ShardCatalog catalog) {
        Boolean owns = mapped.owns(key.table(), key.columns());
        Table table = catalog.tables().get(key.table());
        return owns != null
                ? owns
                : table != null
                        && (table.primaryKey().containsAll(key.columns())
                                || catalog.keys().keySet().stream()
                                                .filter(each -> each.table().equals(key.table()))
                                                .count()
                                        == 1);
    }

    private void order(Set<String> remaining) {
        edges.stream().filter(each -> each.isSelf() && each.constraint()).forEach(this::postponeSelf);
        while (!remaining.isEmpty()) {
            List<Edge> open = edges.stream()
                    .filter(each -> !each.isSelf() && !late.contains(each) && (each.owns() || each.constraint()))
                    .filter(each -> remaining.contains(each.table()) && remaining.contains(each.target()))
                    .toList();
            Set<String> referred = new HashSet<>();
            open.forEach(each -> referred.add(each.target()));
            List<String> next =
                    remaining.stream().filter(each -> !referred.contains(each)).toList();
            if (next.isEmpty()) {
                late.add(open.stream()
                        .filter(each -> !each.owns() && !clearable(each).isEmpty())
                        .findFirst()
                        .orElseThrow(() -> unordered(open)));
            }
            tables.addAll(next);
            remaining.removeAll(next);
        }
    }

    private void postponeSelf(Edge self) {
        if (clearable(self).isEmpty()) {
            throw unordered(List.of(self));
        }
        late.add(self);
    }

    private RowsRefusedException unordered(List<Edge> circle) {
        return new RowsRefusedException("The rows that live with one of " + root.table()
                + " refer to each other in a circle, none of whose references can be null: " + circle
                + ". Nothing was done. Allow null in a column by which no row lives with another.");
    }

    /** Returns the columns of a reference that can be null without another reference losing its value. */
    List<String> clearable(Edge edge) {
        Table table = table(edge.table());
        return edge.columns().stream()
                .filter(each -> !table.notNull().contains(each))
                .filter(each -> edges.stream()
                        .noneMatch(other -> other.owns()
                                && !other.equals(edge)
                                && other.table().equals(edge.table())
                                && other.columns().contains(each)))
                .toList();
    }

    /** Returns the columns of a table that are set after all rows are stored. */
    List<String> lateColumns(String table) {
        return late.stream()
                .filter(each -> each.table().equals(table))
                .flatMap(each -> clearable(each).stream())
                .distinct()
                .toList();
    }

    Table table(String name) {
        Table table = catalog.tables().get(name);
        if (table == null) {
            throw new IllegalStateException(name);
        }
        return table;
    }

    /** Returns the references by which the rows of a table live with others, except those to the same table. */
    List<Edge> owners(String table) {
        return edges.stream()
                .filter(each -> each.owns() && !each.isSelf() && each.table().equals(table))
                .toList();
    }

    /** Returns the references of rows of a table to others of it, with which they live. */
    List<Edge> trees(String table) {
        return edges.stream()
                .filter(each -> each.owns() && each.isSelf() && each.table().equals(table))
                .toList();
    }
}
