package io.github.shardedid.example.id;

import io.github.shardedid.id.DecodedId;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.spring.id.IdOf;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardSchema;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A decoded id.
 *
 * @param id the id itself
 * @param text the short text form
 * @param instant when it was generated
 * @param shard the logical shard
 * @param node the JVM node that generated it, or null if a database did
 * @param sequence the value of the sequence field
 * @param database the database that owns the shard; null if the shard is unowned
 * @param schema the shard's schema; null if the cluster has no such shard
 * @param fields the fields from the highest bit down
 */
record IdView(
        @IdOf long id,
        String text,
        Instant instant,
        int shard,
        @Nullable Integer node,
        int sequence,
        @Nullable String database,
        @Nullable String schema,
        List<Field> fields) {

    /**
     * A field of an id.
     *
     * @param name timestamp, shard or sequence
     * @param bits its width, and the length of {@code binary}
     * @param value its value as a decimal number
     * @param binary its bits, the highest first
     */
    record Field(String name, int bits, String value, String binary) {
        static Field of(String name, int bits, long value) {
            String digits = Long.toBinaryString(value);
            return new Field(
                    name, bits, Long.toString(value), "0".repeat(Math.max(0, bits - digits.length())) + digits);
        }
    }

    static IdView of(long id, Cluster cluster) {
        IdLayout layout = cluster.layout();
        DecodedId decoded = layout.decode(id);
        boolean known = decoded.shard() < cluster.shardCount();
        return new IdView(
                id,
                layout.toText(id),
                decoded.instant(),
                decoded.shard(),
                decoded.node().isPresent() ? decoded.node().getAsInt() : null,
                decoded.sequence(),
                known ? home(decoded.shard(), cluster.map().get()) : null,
                known ? ShardSchema.nameOf(decoded.shard()) : null,
                List.of(
                        Field.of("timestamp", layout.timestampBits(), layout.timestampOf(decoded.instant())),
                        Field.of("shard", layout.shardBits(), decoded.shard()),
                        Field.of("sequence", layout.sequenceBits(), decoded.sequence())));
    }

    private static @Nullable String home(int shard, ShardMap map) {
        return Arrays.binarySearch(map.unownedShards(), shard) >= 0 ? null : map.databaseOf(shard);
    }
}
