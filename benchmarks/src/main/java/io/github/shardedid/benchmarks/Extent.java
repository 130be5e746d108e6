package io.github.shardedid.benchmarks;

/**
 * How much is measured.
 *
 * @param rounds how often the ways are compared
 * @param scale 1 for figures; a small share of it proves that a benchmark still works
 */
record Extent(int rounds, double scale) {
    static final Extent FULL = new Extent(Integer.getInteger("sharded-id.benchmarks.rounds", 5), 1);
    static final Extent QUICK = new Extent(1, 0.01);

    /** A number of repetitions, scaled down to 1 at least. */
    int of(int full) {
        return Math.max(1, (int) (full * scale));
    }

    boolean quick() {
        return scale < 1;
    }
}
