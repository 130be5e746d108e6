package io.github.shardedid.move.internal.replication;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/** Which transactions a copy has seen, as {@code pg_current_snapshot()} says. */
record Snapshot(long xmin, long xmax, Set<Long> running) {
    private static final long WRAP = 1L << 32;

    /** Reads {@code xmin:xmax:xip,…}. */
    static Snapshot parse(String text) {
        String[] parts = text.split(":", -1);
        Set<Long> running = Arrays.stream(parts[2].split(",", -1))
                .filter(one -> !one.isEmpty())
                .map(Long::valueOf)
                .collect(Collectors.toSet());
        return new Snapshot(Long.parseLong(parts[0]), Long.parseLong(parts[1]), running);
    }

    /** Whether it has seen a committed transaction, of whose number the lower 32 bits are known. */
    boolean sees(long transaction) {
        long number = (xmax & -WRAP) | transaction;
        if (number - xmax > WRAP / 2) {
            number -= WRAP;
        } else if (xmax - number > WRAP / 2) {
            number += WRAP;
        }
        return number < xmin || (number < xmax && !running.contains(number));
    }
}
