package io.github.shardedid.benchmarks.measure;

/**
 * The extent of a measurement.
 *
 * @param rounds the number of rounds
 * @param scale 1 for figures; tests use a small fraction to check that a benchmark works
 * @param shards the number of shards of benchmarks with many shards
 */
public record Extent(int rounds, double scale, int shards) {
    public static final Extent FULL = new Extent(Integer.getInteger("sharded-id.benchmarks.rounds", 5), 1, 2_000);
    public static final Extent QUICK = new Extent(1, 0.01, 4);

    /** A number of repetitions, scaled down to 1 at least. */
    public int of(int full) {
        return Math.max(1, (int) (full * scale));
    }

    /** A number of rounds that does not depend on how many were asked for; 1 if only quickly. */
    public int rounds(int full) {
        return quick() ? 1 : full;
    }

    public boolean quick() {
        return scale < 1;
    }
}
