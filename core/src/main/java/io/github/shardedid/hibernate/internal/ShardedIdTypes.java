package io.github.shardedid.hibernate.internal;

import io.github.shardedid.id.IdLayout;
import java.util.Set;

/** The types of attributes that can hold the ids of a layout. */
final class ShardedIdTypes {
    private static final Set<Class<?>> LONGS = Set.of(Long.class, long.class);
    private static final Set<Class<?>> INTS = Set.of(Integer.class, int.class);

    private ShardedIdTypes() {}

    static boolean isInt(Class<?> type) {
        return INTS.contains(type);
    }

    /** Whether every id of the layout fits. */
    static boolean hold(IdLayout layout, Class<?> type) {
        return LONGS.contains(type) || (isInt(type) && layout.bits() == 32);
    }

    /** What to write instead, for messages. */
    static String text(IdLayout layout) {
        return layout.bits() == 32 ? "an Integer, int, Long or long" : "a Long or long";
    }
}
