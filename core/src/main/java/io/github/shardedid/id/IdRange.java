package io.github.shardedid.id;

import java.time.Instant;

/**
 * A range of ids, both ends included, for {@code where id between ? and ?}.
 *
 * @param first the smallest id of the range, not negative
 * @param last the largest id of the range, not smaller than {@code first}
 */
public record IdRange(long first, long last) {
    /**
     * Checks the order of the two ends.
     *
     * @throws IllegalArgumentException if {@code first} is negative or larger than {@code last}
     */
    public IdRange {
        if (first < 0 || last < first) {
            throw new IllegalArgumentException(
                    "An id range must be ascending and not negative, but is " + first + " to " + last + ".");
        }
    }

    static IdRange of(IdLayout layout, Instant from, Instant to, int firstShard, int lastShard) {
        if (from.isAfter(to)) {
            throw new IllegalArgumentException("The interval ends before it starts: " + from + " to " + to + ".");
        }
        int lastSequence = (1 << layout.sequenceBits()) - 1;
        return new IdRange(
                layout.encode(layout.timestampOf(from), firstShard, 0),
                layout.encode(layout.timestampOf(to), lastShard, lastSequence));
    }

    /**
     * Returns whether the id is in this range.
     *
     * @param id any number
     * @return true if {@code first <= id <= last}
     */
    public boolean contains(long id) {
        return first <= id && id <= last;
    }
}
