package io.github.shardedid.generator;

/** Something that counts ids. */
@FunctionalInterface
interface IdCount {
    /** Adds to each shard how many ids were made; never less than a moment ago, but for ids that are being made. */
    void addTo(long[] made);
}
