package io.github.shardedid.routing;

import io.github.shardedid.topology.UnknownShardException;
import org.jspecify.annotations.Nullable;

/**
 * Where statements go: to one shard, to the schema of the global entities, or to several shards, a {@link ShardSet}. Opened as
 * a scope by {@link ShardContext#open(Target)}. Safe for use by several threads.
 */
public sealed interface Target permits Target.Single, ShardSet {
    /**
     * A shard.
     *
     * @param number the shard, from 0
     * @return the same object for each of the lowest 8,192 numbers
     * @throws UnknownShardException if no cluster can have such a shard: a negative number, or one above 1,048,575
     */
    static Shard shard(int number) {
        return Shard.of(number);
    }

    /**
     * The schema of the global entities.
     *
     * @return always the same object
     */
    static Single global() {
        return Global.SCHEMA;
    }

    /** One schema of one database. Immutable. */
    sealed interface Single extends Target permits Shard, Global {}

    /**
     * A shard. Immutable.
     *
     * @param number the shard, from 0
     */
    record Shard(int number) implements Single {
        private static final @Nullable Shard[] KNOWN = new @Nullable Shard[8_192];

        /**
         * Checks the number.
         *
         * @throws UnknownShardException if no cluster can have such a shard: a negative number, or one above 1,048,575
         */
        public Shard {
            UnknownShardException.requirePossible(number);
        }

        private static Shard of(int number) {
            if (number < 0 || number >= KNOWN.length) {
                return new Shard(number);
            }
            // A race makes an equal one: the field is final.
            Shard known = KNOWN[number];
            if (known == null) {
                known = new Shard(number);
                KNOWN[number] = known;
            }
            return known;
        }

        /** For messages. */
        @Override
        public String toString() {
            return "shard " + number;
        }
    }

    /** The schema of the global entities. */
    enum Global implements Single {
        /** The only one. */
        SCHEMA;

        /** For messages. */
        @Override
        public String toString() {
            return "the global entities";
        }
    }
}
