package io.github.shardedid.hibernate.internal.checks;

import io.github.shardedid.hibernate.internal.mapping.Associations;
import io.github.shardedid.hibernate.internal.mapping.EntityIds;
import io.github.shardedid.hibernate.internal.mapping.MappedTables;
import io.github.shardedid.hibernate.internal.mapping.MappingProblems;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hibernate.boot.Metadata;
import org.hibernate.mapping.Collection;
import org.hibernate.mapping.Join;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Table;
import org.jspecify.annotations.Nullable;

/** The global entities in Hibernate's boot model whose tables are replicated to all databases. */
public final class ReplicatedEntities {
    private ReplicatedEntities() {}

    /** Returns the names of the tables of all entities that are declared so, as PostgreSQL stores them. */
    public static Set<String> tables(Metadata metadata) {
        Stream<Table> ofEntities = metadata.getEntityBindings().stream()
                .filter(EntityIds::isReplicated)
                .flatMap(entity -> Stream.concat(
                        Stream.of(entity.getTable()), entity.getJoins().stream().map(Join::getTable)));
        Stream<Table> ofCollections = metadata.getCollectionBindings().stream()
                .filter(rows -> EntityIds.isReplicated(rows.getOwner()) && !rows.isOneToMany() && !rows.isInverse())
                .map(Collection::getCollectionTable);
        return Stream.concat(ofEntities, ofCollections)
                .filter(table -> table.isPhysicalTable() && !table.isSubselect())
                .map(table -> MappedTables.stored(table.getName(), table.isQuoted()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns the names of the entities that are declared so. */
    static Set<String> names(List<PersistentClass> global) {
        return global.stream()
                .filter(EntityIds::isReplicated)
                .map(PersistentClass::getEntityName)
                .collect(Collectors.toSet());
    }

    /**
     * Refuses associations to entities that are not replicated, and queries in the place of a table: a shard's database has no such rows, so
     * that a join there would fail, or find rows by chance. Refuses caches, which reads of the global database would share: a row from a copy
     * that is behind would stay there, and be taken for the original.
     */
    static void check(Metadata metadata, MappingProblems problems) {
        Associations.values(metadata).stream()
                .filter(each -> EntityIds.isReplicated(each.owner()))
                .filter(each -> isElsewhere(metadata, Associations.referenced(each.value())))
                .forEach(each -> problems.add(each + " refers to " + Associations.referenced(each.value())
                        + ", which is not replicated, but " + each.owner().getEntityName()
                        + " has @GlobalEntity(replicated = true), so that it is read in databases without the other row."
                        + " Let the other entity be replicated, too, or keep only its id."));
        metadata.getEntityBindings().stream()
                .filter(entity ->
                        EntityIds.isReplicated(entity) && entity.getTable().isSubselect())
                .forEach(
                        entity -> problems.add(
                                entity.getEntityName()
                                        + " has @Subselect and @GlobalEntity(replicated = true), but only tables are replicated. Remove replicated = true."));
        Stream<String> entities = metadata.getEntityBindings().stream()
                .filter(EntityIds::isReplicated)
                .filter(entity -> isCached(entity) || entity.getNaturalIdCacheRegionName() != null)
                .map(PersistentClass::getEntityName);
        Stream<String> collections = metadata.getCollectionBindings().stream()
                .filter(rows -> EntityIds.isReplicated(rows.getOwner()))
                .filter(rows -> rows.getCacheConcurrencyStrategy() != null)
                .map(Collection::getRole);
        Stream.concat(entities, collections)
                .forEach(
                        path -> problems.add(
                                path
                                        + " has @Cache or @NaturalIdCache, and is replicated: a row that was read from a copy that is behind would stay in"
                                        + " the cache, also for writes. Remove the annotation, or replicated = true of @GlobalEntity."));
    }

    /** Hibernate sets the strategy of each entity if there is a cache. */
    public static boolean isCached(PersistentClass entity) {
        return entity.isCached() && entity.getRootClass().getCacheConcurrencyStrategy() != null;
    }

    private static boolean isElsewhere(Metadata metadata, @Nullable String target) {
        PersistentClass entity = target == null ? null : metadata.getEntityBinding(target);
        return entity != null && !EntityIds.isReplicated(entity);
    }
}
