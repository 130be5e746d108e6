package io.github.shardedid.boot.commands;

import io.github.shardedid.boot.autoconfigure.ShardedIdPropertiesException;
import io.github.shardedid.topology.ShardRanges;
import io.github.shardedid.topology.ShardRangesException;

/**
 * Shards and a database in the form of the command line, such as {@code 17,20-29:pg2}.
 *
 * @param shards one or more logical shards
 * @param database the name of a database
 */
record ShardsAndDatabase(ShardRanges shards, String database) {
    static ShardsAndDatabase parse(String property, String value) {
        int colon = value.indexOf(':');
        if (colon < 1 || colon == value.length() - 1) {
            throw new ShardedIdPropertiesException(
                    property + " cannot be \"" + value + "\". Write shards, a colon and a database, such as 17:pg2.");
        }
        return new ShardsAndDatabase(
                shards(property, value.substring(0, colon)),
                value.substring(colon + 1).strip());
    }

    static ShardRanges shards(String property, String value) {
        try {
            ShardRanges ranges = ShardRanges.parse(value);
            if (ranges.shards().findAny().isEmpty()) {
                throw new ShardedIdPropertiesException(property + " names no shard. Write one, such as 17.");
            }
            return ranges;
        } catch (ShardRangesException e) {
            throw new ShardedIdPropertiesException(property + " cannot be \"" + value + "\". " + e.getMessage(), e);
        }
    }
}
