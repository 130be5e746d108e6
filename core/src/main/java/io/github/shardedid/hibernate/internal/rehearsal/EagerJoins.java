package io.github.shardedid.hibernate.internal.rehearsal;

import io.github.shardedid.hibernate.internal.mapping.Associations;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.hibernate.boot.Metadata;
import org.hibernate.mapping.Collection;
import org.hibernate.mapping.PersistentClass;
import org.jspecify.annotations.Nullable;

/**
 * The tables that Hibernate joins by itself when it reads rows by their ids, because an eager to-one association leads to an entity in
 * the other database. With shards it reads those entities with a statement of their own.
 */
final class EagerJoins {
    private final Metadata metadata;
    private final Set<String> tables = new HashSet<>();
    private final Set<PersistentClass> seen = new HashSet<>();
    private final Deque<PersistentClass> next = new ArrayDeque<>();

    private EagerJoins(Metadata metadata) {
        this.metadata = metadata;
    }

    static Set<String> tables(Metadata metadata, ShardedMappings mappings) {
        EagerJoins joins = new EagerJoins(metadata);
        for (Associations.ToOneAttribute toOne : Associations.toOnes(metadata)) {
            String target = toOne.value().getReferencedEntityName();
            if (!toOne.value().isLazy()
                    && mappings.isGlobal(toOne.owner().getEntityName()) != mappings.isGlobal(target)) {
                joins.reach(target);
            }
        }
        while (!joins.next.isEmpty()) {
            joins.follow(joins.next.remove());
        }
        return joins.tables;
    }

    private void reach(@Nullable String entity) {
        PersistentClass target = metadata.getEntityBinding(entity);
        if (target != null && seen.add(target)) {
            next.add(target);
        }
    }

    /** What is joined to a joined row: its other tables, and what it refers to eagerly in turn. */
    private void follow(PersistentClass entity) {
        for (PersistentClass at = entity; at != null; at = at.getSuperclass()) {
            tables.add(at.getTable().getName());
            at.getJoins().forEach(join -> tables.add(join.getTable().getName()));
        }
        entity.getDirectSubclasses().forEach(subclass -> reach(subclass.getEntityName()));
        Associations.toOnes(metadata).stream()
                .filter(toOne -> toOne.owner() == entity && !toOne.value().isLazy())
                .forEach(toOne -> reach(toOne.value().getReferencedEntityName()));
        for (Collection collection : metadata.getCollectionBindings()) {
            if (collection.getOwner() == entity && !collection.isLazy()) {
                tables.add(collection.getCollectionTable().getName());
                reach(Associations.referenced(collection.getElement()));
            }
        }
    }
}
