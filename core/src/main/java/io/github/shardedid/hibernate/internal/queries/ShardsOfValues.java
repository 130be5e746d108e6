package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.ShardRule;
import io.github.shardedid.id.MalformedIdException;
import io.github.shardedid.topology.UnknownShardException;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The shards of values that a query requires. */
final class ShardsOfValues {
    private ShardsOfValues() {}

    /** A value, never null: a null equals nothing. */
    record Value(ShardRule rule, Object value) {}

    /** Without ids that no shard can have generated: they are those of no row. */
    static Set<Integer> of(Stream<Value> values) {
        Set<Integer> found = new TreeSet<>();
        values.forEach(each -> {
            try {
                found.add(each.rule().shardOf(each.value()));
            } catch (UnknownShardException | MalformedIdException noSuchRow) {
                // in no shard
            }
        });
        return found;
    }
}
