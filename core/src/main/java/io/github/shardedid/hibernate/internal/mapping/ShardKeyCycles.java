package io.github.shardedid.hibernate.internal.mapping;

import io.github.shardedid.hibernate.ShardedIdMappingException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds shard keys that lead back to their own entity, such as the reference to the parent in a tree. If the attribute may be null, a
 * row without a value is the root of its tree, and gets its shard like a row without a shard key. Otherwise no row could ever be the
 * first, and the mapping is refused.
 */
record ShardKeyCycles(Map<String, ShardedMapping> mappings) {
    /** Replaces the keys in the map that are null in the root of a tree. */
    static void check(Map<String, ShardedMapping> mappings, MappingProblems problems) {
        ShardKeyCycles cycles = new ShardKeyCycles(mappings);
        for (ShardedMapping mapping : List.copyOf(mappings.values())) {
            List<ShardKeyAttribute> cycle = cycles.from(mapping);
            if (!cycle.isEmpty()) {
                problems.collect(() -> cycles.check(mapping, cycle));
            }
        }
    }

    private void check(ShardedMapping mapping, List<ShardKeyAttribute> cycle) {
        ShardKeyAttribute key = cycle.get(0);
        if (!mapping.idNamesShard()) {
            throw new ShardedIdMappingException("The shard keys " + cycle + " lead back to " + mapping.entityName()
                    + ", whose id names no shard, so nothing says in which shard its first row is. Put @ShardKey on an"
                    + " attribute that is never null and leads to another entity, or give " + mapping.entityName()
                    + " a @ShardedId.");
        }
        if (key.nullable()) {
            mappings.put(mapping.entityName(), mapping.withKey(key.beginning()));
        } else if (cycle.stream().noneMatch(ShardKeyAttribute::nullable)) {
            throw new ShardedIdMappingException("The shard keys " + cycle + " lead back to " + mapping.entityName()
                    + ", and none of them may be null: each new row needs an existing one, so no row can be the first."
                    + " Let one of them be null in the first row (optional = true, no NOT NULL), or put @ShardKey on another"
                    + " attribute.");
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
