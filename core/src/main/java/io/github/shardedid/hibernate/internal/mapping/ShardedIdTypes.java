package io.github.shardedid.hibernate.internal.mapping;

import io.github.shardedid.hibernate.IdStrategy;
import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.id.IdLayout;
import java.util.Set;

/** The types of attributes that can hold the ids of a layout. */
public final class ShardedIdTypes {
    private static final Set<Class<?>> LONGS = Set.of(Long.class, long.class);
    private static final Set<Class<?>> INTS = Set.of(Integer.class, int.class);

    private ShardedIdTypes() {}

    public static boolean isInt(Class<?> type) {
        return INTS.contains(type);
    }

    /** Whether all ids of the layout fit into the type. */
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
