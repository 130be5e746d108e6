package io.github.shardedid.hibernate.internal.mapping;

import io.github.shardedid.routing.RoutingDataSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.hibernate.boot.Metadata;
import org.hibernate.mapping.Column;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Table;

/**
 * The tables that the mappings need, with names as PostgreSQL stores them. Immutable.
 *
 * <p>They are compared with the catalogs of the databases at the start.
 *
 * @param ofShards those of each shard
 * @param global those of the global database
 */
public record MappedTables(List<MappedTable> ofShards, List<MappedTable> global) {
    /**
     * A table.
     *
     * @param mapped the entity or the collection that it belongs to, for messages
     */
    public record MappedTable(String mapped, String name, List<String> columns) {}

    /** Returns whether an entity has a table. The rows of one with {@code @CTE} of Blaze-Persistence are those of a query. */
    static boolean has(PersistentClass entity) {
        return entity.getClassName() == null
                || Arrays.stream(entity.getMappedClass().getAnnotations())
                        .noneMatch(each -> each.annotationType().getName().equals("com.blazebit.persistence.CTE"));
    }

    /** Reads them after the tables of global entities have been moved to their schema. */
    public static MappedTables of(Metadata metadata) {
        Map<Table, String> mapped = new HashMap<>();
        metadata.getEntityBindings().stream().filter(MappedTables::has).forEach(entity -> {
            mapped.putIfAbsent(entity.getTable(), entity.getEntityName());
            entity.getJoins().forEach(join -> mapped.putIfAbsent(join.getTable(), entity.getEntityName()));
        });
        metadata.getCollectionBindings().forEach(each -> mapped.putIfAbsent(each.getCollectionTable(), each.getRole()));
        List<MappedTable> ofShards = new ArrayList<>();
        List<MappedTable> global = new ArrayList<>();
        mapped.forEach((table, owner) -> {
            if (table.isPhysicalTable() && !table.isSubselect()) {
                List<String> columns = table.getColumns().stream()
                        .map((Column column) -> stored(column.getName(), column.isQuoted()))
                        .toList();
                boolean isGlobal = RoutingDataSource.GLOBAL_PLACEHOLDER.equals(table.getSchema())
                        || RoutingDataSource.REPLICATED_PLACEHOLDER.equals(table.getSchema());
                (isGlobal ? global : ofShards)
                        .add(new MappedTable(owner, stored(table.getName(), table.isQuoted()), columns));
            }
        });
        return new MappedTables(List.copyOf(ofShards), List.copyOf(global));
    }

    /** Returns a name as PostgreSQL stores it: folded to lower case unless it is quoted. */
    public static String stored(String name, boolean quoted) {
        return quoted ? name : name.toLowerCase(Locale.ROOT);
    }
}
