package io.github.shardedid.hibernate.internal.mapping;

import io.github.shardedid.hibernate.GlobalEntity;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Table;
import org.hibernate.mapping.Value;

/** What both the reader of the mappings and the generator of ids must know of an entity's id. */
public final class EntityIds {
    private EntityIds() {}

    /** Whether an entity has {@code @GlobalEntity}, even if it inherits a sharded id. */
    public static boolean isDeclaredGlobal(PersistentClass entity) {
        PersistentClass root = entity.getRootClass();
        return root.getClassName() != null && root.getMappedClass().isAnnotationPresent(GlobalEntity.class);
    }

    /** The named sequence, else the one of the table's id column. */
    public static String sequence(String named, Table table, Value id) {
        return named.isEmpty() ? table.getName() + "_" + id.getColumns().get(0).getName() + "_seq" : named;
    }
}
