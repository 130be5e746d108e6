package io.github.shardedid.spring.data;

import io.github.shardedid.routing.ShardSet;
import java.util.List;
import java.util.SortedMap;

/** Where one call of a repository's method goes. */
sealed interface Destination {
    /** Its statements go to a shard. */
    record ToShard(int shard) implements Destination {}

    /** Its queries go to several shards at once. */
    record ToShards(ShardSet shards) implements Destination {}

    /**
     * It is called once per shard, each time with those of the values in its first argument that belong there.
     *
     * @param values shard → places and values
     * @param write whether each call is a transaction of its own, so that one may fail and others not
     */
    record PerShard(SortedMap<Integer, List<PlacedValue>> values, boolean write) implements Destination {}

    /** A value and its place in the argument. */
    record PlacedValue(int place, Object value) {}

    /** No row of the cluster can be meant: the call finds nothing, and nothing is sent. */
    record ToNothing(RuntimeException why) implements Destination {}

    /** The call goes on as it is: Hibernate routes its rows one by one, or what it calls routes itself. */
    record AsItIs() implements Destination {}

    Destination AS_IT_IS = new AsItIs();
}
