package io.github.shardedid.hibernate.internal.mapping;

import io.github.shardedid.hibernate.ShardedIdMappingException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks for shard keys that lead back to their own entity, as a tree's reference to the parent does. Where the attribute may be null,
 * a row without a value is the first of its tree, and is placed as a row without a shard key; otherwise no row could ever be the
 * first.
 */
final class ShardKeyCycles {
    private final Map<String, ShardedMapping> mappings;

    private ShardKeyCycles(Map<String, ShardedMapping> mappings) {
        this.mappings = mappings;
    }

    /** Changes the keys in the map whose absence begins a tree. */
    static void check(Map<String, ShardedMapping> mappings) {
        ShardKeyCycles cycles = new ShardKeyCycles(mappings);
        for (ShardedMapping mapping : List.copyOf(mappings.values())) {
            List<ShardKeyAttribute> cycle = cycles.from(mapping);
            if (!cycle.isEmpty()) {
                cycles.check(mapping, cycle);
            }
        }
    }

    private void check(ShardedMapping mapping, List<ShardKeyAttribute> cycle) {
        ShardKeyAttribute key = cycle.get(0);
        if (key.nullable()) {
            mappings.put(mapping.entityName(), mapping.withKey(key.beginning()));
        } else if (cycle.stream().noneMatch(ShardKeyAttribute::nullable)) {
            throw new ShardedIdMappingException("The shard keys " + cycle + " lead back to " + mapping.entityName()
                    + ", and none of them may be null: each new row needs another one before it, so that no row can be"
                    + " the first. Let one of them be null in the first row (optional = true, no NOT NULL), or put"
                    + " @ShardKey on another attribute.");
        }
    }

    /** The keys from an entity back to it or a superclass of it; empty if they end elsewhere. */
    private List<ShardKeyAttribute> from(ShardedMapping mapping) {
        List<ShardKeyAttribute> keys = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        @Nullable ShardedMapping at = mapping;
        while (at != null && at.key() != null && at.key().target() != null && seen.add(at.entityName())) {
            keys.add(at.key());
            at = mappings.get(at.key().target());
            if (at != null && at.javaClass().isAssignableFrom(mapping.javaClass())) {
                return keys;
            }
        }
        return List.of();
    }
}
