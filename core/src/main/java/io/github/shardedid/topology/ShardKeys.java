package io.github.shardedid.topology;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;

/**
 * Computes the logical shard of a new row from its shard key. The result is part of the data format: it never changes, and
 * the SQL function {@code sharded_id.shard_of_key} returns the same one. Shards that are added later get no keys: all entities
 * count by the number of shards that the cluster was created with, so that rows with the same key stay in one shard.
 */
public final class ShardKeys {
    private ShardKeys() {}

    /**
     * The shard of a whole number: the number modulo the number of shards, as in {@code 31341 % 2000 = 1341}.
     *
     * @param key the shard key; negative keys count from the last shard ({@code -1} is the last shard)
     * @param shardCount the number of shards that the cluster was created with, 1 or more: {@link Cluster#keyShards()}
     * @return 0 to {@code shardCount - 1}
     */
    public static int shardOf(long key, int shardCount) {
        return Math.floorMod(key, shardCount);
    }

    /**
     * The shard of a text: the first 32 bits of the SHA-256 hash of its UTF-8 bytes, as an unsigned number, modulo the number
     * of shards.
     *
     * @param key the shard key
     * @param shardCount the number of shards that the cluster was created with, 1 or more: {@link Cluster#keyShards()}
     * @return 0 to {@code shardCount - 1}
     */
    public static int shardOf(String key, int shardCount) {
        byte[] hash = sha256().digest(key.getBytes(StandardCharsets.UTF_8));
        return Math.floorMod(Integer.toUnsignedLong(ByteBuffer.wrap(hash).getInt()), shardCount);
    }

    /**
     * The shard of a UUID: that of its canonical text in lower case.
     *
     * @param key the shard key
     * @param shardCount the number of shards that the cluster was created with, 1 or more: {@link Cluster#keyShards()}
     * @return 0 to {@code shardCount - 1}
     */
    public static int shardOf(UUID key, int shardCount) {
        return shardOf(key.toString(), shardCount);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This JDK does not provide SHA-256: " + System.getProperty("java.home"), e);
        }
    }
}
