package io.github.shardedid.hibernate.internal.mapping;

import org.hibernate.mapping.PersistentClass;
import org.jspecify.annotations.Nullable;

/** What is assumed of entities that annotations say nothing about. Where rows are written to shards, nothing is. */
public interface AssumedMappings {
    /** Assumes nothing: the annotations say it all. */
    AssumedMappings NONE = new AssumedMappings() {};

    /** Returns whether an entity is taken for one with {@code @ShardedId}. */
    default boolean isSharded(String entity) {
        return false;
    }

    /** Returns the attribute that is taken for one with {@code @ShardKey}; null if there is none. */
    default @Nullable MappedAttribute keyOf(PersistentClass entity) {
        return null;
    }
}
