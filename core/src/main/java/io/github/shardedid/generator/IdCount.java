package io.github.shardedid.generator;

/** Counts generated ids by shard. */
@FunctionalInterface
interface IdCount {
    /** Adds to each shard how many ids were generated. Never falls, except for ids that are being generated at the moment. */
    void addTo(long[] made);
}
