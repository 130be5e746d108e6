package io.github.shardedid.attack;

import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.topology.ShardSchema;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** An attacked table in a shard. */
record Place(int shard, String table) {
    static final int SHARDS = 3;
    static final List<String> TABLES = List.of("photo", "remark");

    static List<Place> all() {
        return IntStream.range(0, SHARDS)
                .boxed()
                .flatMap(shard -> TABLES.stream().map(table -> new Place(shard, table)))
                .toList();
    }

    static Place any(Random random) {
        return new Place(random.nextInt(SHARDS), TABLES.get(random.nextInt(TABLES.size())));
    }

    /** The sequence's name without a schema. */
    String sequence() {
        return table + "_id_seq";
    }

    String schema() {
        return ShardSchema.nameOf(shard);
    }

    /** The table's name with the schema. */
    String qualified() {
        return schema() + "." + table;
    }

    /** The table's name with the schema that a routed connection puts in. */
    String routed() {
        return RoutingDataSource.SCHEMA_PLACEHOLDER + "." + table;
    }

    /** A call of a function of the shard's schema with the sequence as its first argument. */
    String call(String function, String further) {
        return schema() + "." + function + "('" + schema() + "." + sequence() + "'" + further + ")";
    }
}
