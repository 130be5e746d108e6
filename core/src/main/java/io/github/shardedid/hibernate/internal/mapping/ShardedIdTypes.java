package io.github.shardedid.hibernate.internal.mapping;

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

    /** The types that fit, for messages. */
    public static String text(IdLayout layout) {
        return layout.bits() == 32 ? "an Integer, int, Long or long" : "a Long or long";
    }
}
