package io.github.shardedid.hibernate.internal.mapping;

import io.github.shardedid.hibernate.GlobalEntity;
import io.github.shardedid.hibernate.IdStrategy;
import io.github.shardedid.hibernate.ShardedId;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
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

    /** Whether only the default of the id's column knows its sequence. */
    public static boolean isSequenceOfDefault(PersistentClass entity) {
        Property id = entity.getIdentifierProperty();
        ShardedId annotation =
                new MappedAttribute(entity.getMappedClass(), id.getName(), id).annotation(ShardedId.class);
        return annotation != null
                && annotation.strategy() == IdStrategy.COLUMN_DEFAULT
                && annotation.sequence().isEmpty();
    }

    /** The named sequence, else the one of the table's id column. */
    public static String sequence(String named, Table table, Value id) {
        return named.isEmpty() ? table.getName() + "_" + id.getColumns().get(0).getName() + "_seq" : named;
    }
}
