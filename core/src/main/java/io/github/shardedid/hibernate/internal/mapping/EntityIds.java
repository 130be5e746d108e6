package io.github.shardedid.hibernate.internal.mapping;

import io.github.shardedid.hibernate.GlobalEntity;
import io.github.shardedid.hibernate.IdStrategy;
import io.github.shardedid.hibernate.ShardedId;
import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.id.IdLayout;
import java.util.Set;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.Table;
import org.hibernate.mapping.Value;

/**
 * The rules for an entity's id that both the reader of the mappings and the generator of ids need. Both apply
 * them at different times of the start, to the same model, and must come to the same result: the generator would
 * otherwise use a sequence that the start has not checked.
 */
public final class EntityIds {
    private static final Set<Class<?>> LONGS = Set.of(Long.class, long.class);
    private static final Set<Class<?>> INTS = Set.of(Integer.class, int.class);

    private EntityIds() {}

    /** Returns whether an entity has {@code @GlobalEntity}, even if it inherits a sharded id. */
    public static boolean isDeclaredGlobal(PersistentClass entity) {
        PersistentClass root = entity.getRootClass();
        return root.getClassName() != null && root.getMappedClass().isAnnotationPresent(GlobalEntity.class);
    }

    /** Returns whether an entity is global, and is declared to be replicated to all databases. */
    public static boolean isReplicated(PersistentClass entity) {
        return isDeclaredGlobal(entity)
                && entity.getRootClass()
                        .getMappedClass()
                        .getAnnotation(GlobalEntity.class)
                        .replicated();
    }

    /** Returns whether only the default of the id's column knows its sequence. */
    public static boolean isSequenceOfDefault(PersistentClass entity) {
        Property id = entity.getIdentifierProperty();
        ShardedId annotation =
                new MappedAttribute(entity.getMappedClass(), id.getName(), id).annotation(ShardedId.class);
        return annotation != null
                && annotation.strategy() == IdStrategy.COLUMN_DEFAULT
                && annotation.sequence().isEmpty();
    }

    /**
     * Returns the named sequence, else the one of the table's id column. That is the name that PostgreSQL gives
     * to the sequence of a {@code bigserial} column, so an adopted table keeps its own.
     */
    public static String sequence(String named, Table table, Value id) {
        return named.isEmpty() ? table.getName() + "_" + id.getColumns().get(0).getName() + "_seq" : named;
    }

    public static boolean isInt(Class<?> type) {
        return INTS.contains(type);
    }

    /** Returns whether all ids of the layout fit into the type. */
    public static boolean hold(IdLayout layout, Class<?> type) {
        return LONGS.contains(type) || (isInt(type) && layout.bits() == 32);
    }

    /** Refuses an id that cannot hold those of the layout, or that no JVM can generate. */
    public static void check(IdLayout layout, Class<?> type, IdStrategy strategy, String attribute) {
        if (!hold(layout, type)) {
            throw new ShardedIdMappingException("The id " + attribute + " with @ShardedId is of type " + type.getName()
                    + ". Ids of the layout (" + layout + ") need " + text(layout) + ".");
        }
        if (strategy == IdStrategy.JVM && layout.jvmNodes() == 0) {
            throw new ShardedIdMappingException("The id " + attribute + " has the strategy JVM, but the layout ("
                    + layout + ") has no JVM nodes (jvm-nodes is 0). Use the strategy DATABASE or COLUMN_DEFAULT.");
        }
    }

    /** The types that fit, for messages. */
    static String text(IdLayout layout) {
        return layout.bits() == 32 ? "an Integer, int, Long or long" : "a Long or long";
    }
}
