package io.github.shardedid.id;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** What an {@link IdLayout} and its fields may be; each refusal names the field and the values that it may have. */
final class LayoutLimits {
    /** How far, in milliseconds, an epoch and the time of the ids may each reach, so that their sum cannot overflow. */
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
            throw new IllegalArgumentException("The fields of an id must make up 64 bits (bigint) or 32 (int), but "
                    + fields + " makes " + bits + ".");
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
                    + " reach beyond the time that 64 bits of milliseconds can count. Shorten the timestamp or choose"
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
                    + ": it may be 0 to " + max + ".");
        }
    }
}
