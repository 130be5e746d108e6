package io.github.shardedid.id;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Validates an {@link IdLayout} and the fields of ids. Each message names the field and its valid values. */
final class LayoutLimits {
    /** The limit for the epoch and for the time of the ids, in milliseconds each, so that their sum cannot overflow. */
    private static final long COUNTABLE = Long.MAX_VALUE / 2;

    private LayoutLimits() {}

    static void checkWidths(int timestampBits, int shardBits, int sequenceBits) {
        String fields = timestampBits + "·" + shardBits + "·" + sequenceBits;
        if (timestampBits < 2 || shardBits < 1 || shardBits > 20 || sequenceBits < 1 || sequenceBits > 20) {
            throw new IllegalArgumentException(
                    "An id layout needs 2 or more timestamp bits, 1 to 20 shard bits and 1 to"
                            + " 20 sequence bits, not " + fields + ".");
        }
        int bits = timestampBits + shardBits + sequenceBits;
        if (bits != 64 && bits != 32) {
            throw new IllegalArgumentException("The fields of an id must have 64 bits (bigint) or 32 bits (int) in"
                    + " total, but " + fields + " has " + bits + ".");
        }
    }

    static void checkTime(Instant epoch, TimestampUnit unit, int timestampBits) {
        if (!epoch.equals(epoch.truncatedTo(ChronoUnit.MILLIS))) {
            throw new IllegalArgumentException("The epoch must be a whole number of milliseconds, not " + epoch + ".");
        }
        long steps = 1L << (timestampBits - 1);
        if (steps > COUNTABLE / unit.millis() || Math.abs(epoch.getEpochSecond()) > COUNTABLE / 1000) {
            throw new IllegalArgumentException(timestampBits + " bits of "
                    + unit.name().toLowerCase(Locale.ROOT) + " since " + epoch
                    + " exceed the time that 64 bits of milliseconds can represent. Shorten the timestamp or choose"
                    + " another epoch.");
        }
    }

    static void checkNodes(int jvmNodes, int sequenceBits) {
        int half = 1 << (sequenceBits - 1);
        if (jvmNodes < 0 || jvmNodes > half || Integer.bitCount(jvmNodes) > 1) {
            throw new IllegalArgumentException("jvm-nodes must be 0 or a power of two up to " + half + " (half of the "
                    + sequenceBits + "-bit sequence), not " + jvmNodes + ".");
        }
    }

    static void checkField(IdLayout layout, String field, long value, long max) {
        if (value < 0 || value > max) {
            throw new MalformedIdException("The " + field + " " + value + " does not fit into the layout " + layout
                    + ". It must be 0 to " + max + ".");
        }
    }
}
