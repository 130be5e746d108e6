package io.github.shardedid.boot.events;

import io.github.shardedid.spring.data.AllShards;

/** Own code that asks for all shards. */
public interface EntryCounts {
    @AllShards
    long countInFragment(String page);
}
