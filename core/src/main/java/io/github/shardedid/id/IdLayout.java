package io.github.shardedid.id;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.OptionalInt;

/**
 * The layout of the bits of an id: {@code timestamp · shard · sequence}, from the highest bit down, as in Instagram's
 * "Sharding &amp; IDs". The default is the published 41 · 13 · 10: 41 bits of milliseconds since the epoch, 13 bits of
 * logical shard, 10 bits of sequence.
 *
 * <p>The highest bit is the sign of a signed {@code bigint} (or {@code int}, in a layout of 32 bits). It is always 0, so
 * ids are positive and in order. The timestamp therefore has {@code timestampBits - 1} usable bits: 34.8 years of
 * milliseconds by default.
 *
 * <p>The database and the JVM nodes share the sequence. The lower half belongs to the database. The upper half is divided
 * evenly among {@code jvmNodes} nodes, each leased by one JVM. With {@code jvmNodes == 0} the database uses all values.
 *
 * <p>Immutable and thread-safe.
 *
 * @param epoch the instant of timestamp 0; a whole number of milliseconds since 1970
 * @param unit the unit of the timestamp
 * @param timestampBits width of the timestamp, including the sign bit; 2 or more
 * @param shardBits width of the logical shard; 1 to 20
 * @param sequenceBits width of the sequence; 1 to 20
 * @param jvmNodes the number of JVM nodes that share the upper half of the sequence: 0, or a power of two up to the size of
 *     that half
 */
public record IdLayout(
        Instant epoch, TimestampUnit unit, int timestampBits, int shardBits, int sequenceBits, int jvmNodes) {

    /** The published epoch, 2011-08-24T21:07:01.721Z: 1314220021721 milliseconds since 1970. */
    public static final Instant PUBLISHED_EPOCH = Instant.ofEpochMilli(1_314_220_021_721L);

    /** The published layout, 41 · 13 · 10 in milliseconds since the published epoch, with 64 JVM nodes of 8 values. */
    public static final IdLayout DEFAULT = new IdLayout(PUBLISHED_EPOCH, TimestampUnit.MILLISECONDS, 41, 13, 10, 64);

    /**
     * The URL-safe base64 alphabet of RFC 4648, section 5, whose characters are the digits of the text form, the most
     * significant first, as in Instagram's short links. Each number has exactly one text, so leading zeros ({@code A}) are
     * refused.
     */
    private static final String DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

    private static final int LONGEST_TEXT = 11;

    /** The limit for the epoch and for the time of the ids, in milliseconds each, so that their sum cannot overflow. */
    private static final long COUNTABLE = Long.MAX_VALUE / 2;

    /**
     * Checks that the fields have 32 or 64 bits in total, that their time can be counted in milliseconds, and that the
     * nodes divide the upper half of the sequence.
     *
     * @throws IllegalArgumentException if not; the message names the field and its valid values
     */
    public IdLayout {
        checkWidths(timestampBits, shardBits, sequenceBits);
        checkTime(epoch, unit, timestampBits);
        checkNodes(jvmNodes, sequenceBits);
    }

    /**
     * Returns this layout with another epoch.
     *
     * @param other the instant of timestamp 0
     * @return a layout that differs only in its epoch
     */
    public IdLayout withEpoch(Instant other) {
        return new IdLayout(other, unit, timestampBits, shardBits, sequenceBits, jvmNodes);
    }

    /**
     * Returns this layout with another number of JVM nodes.
     *
     * @param nodes 0 (the database uses the whole sequence) or a power of two
     * @return a layout that differs only in its JVM nodes
     */
    public IdLayout withJvmNodes(int nodes) {
        return new IdLayout(epoch, unit, timestampBits, shardBits, sequenceBits, nodes);
    }

    /**
     * The width of an id.
     *
     * @return 64 ({@code bigint}) or 32 ({@code int})
     */
    public int bits() {
        return timestampBits + shardBits + sequenceBits;
    }

    /**
     * The maximum number of logical shards.
     *
     * @return 2<sup>shardBits</sup>, 8,192 by default
     */
    public int maxShards() {
        return 1 << shardBits;
    }

    /**
     * The largest timestamp, which does not use the sign bit.
     *
     * @return 2<sup>timestampBits − 1</sup> − 1, in the layout's unit
     */
    public long maxTimestamp() {
        return (1L << (timestampBits - 1)) - 1;
    }

    /**
     * The number of values of the sequence field that the database uses: 0 up to this number, exclusive.
     *
     * @return half of the sequence if there are JVM nodes, otherwise all of it
     */
    public int databaseSequences() {
        return jvmNodes == 0 ? 1 << sequenceBits : 1 << (sequenceBits - 1);
    }

    /**
     * The number of ids that one JVM node can generate per shard, table and step of the timestamp.
     *
     * @return the upper half of the sequence divided by the nodes; 0 if there are none
     */
    public int sequencesPerNode() {
        return jvmNodes == 0 ? 0 : (1 << (sequenceBits - 1)) / jvmNodes;
    }

    /**
     * The last instant that this layout can represent.
     *
     * @return the instant at which the last step of the timestamp begins
     */
    public Instant lastInstant() {
        return instantOf(maxTimestamp());
    }

    /**
     * The time until the timestamps run out.
     *
     * @param now the current time
     * @return from {@code now} to {@link #lastInstant()}; negative once it has passed
     */
    public Duration timeLeft(Instant now) {
        return Duration.between(now, lastInstant());
    }

    /**
     * The timestamp field's value for an instant.
     *
     * @param instant any instant
     * @return steps of the unit since the epoch, rounded down
     * @throws IllegalArgumentException if the instant is before the epoch or after {@link #lastInstant()}
     */
    public long timestampOf(Instant instant) {
        if (instant.isBefore(epoch) || !instant.isBefore(instantOf(maxTimestamp() + 1))) {
            throw new IllegalArgumentException(
                    "No id can be generated for " + instant + ": the layout covers the time from its epoch " + epoch
                            + " to " + lastInstant()
                            + ". Check the clock. If the time has run out, a new cluster is needed.");
        }
        return (instant.toEpochMilli() - epoch.toEpochMilli()) / unit.millis();
    }

    /**
     * Encodes an id.
     *
     * @param timestamp steps of the unit since the epoch, 0 to {@link #maxTimestamp()}
     * @param shard the logical shard, 0 to {@link #maxShards()} − 1
     * @param sequence the sequence field, 0 to 2<sup>sequenceBits</sup> − 1
     * @return the id, not negative
     * @throws MalformedIdException if a field is out of range; values are never truncated
     */
    public long encode(long timestamp, int shard, int sequence) {
        checkField("timestamp", timestamp, maxTimestamp());
        checkField("shard", shard, maxShards() - 1L);
        checkField("sequence", sequence, (1L << sequenceBits) - 1);
        return timestamp << (shardBits + sequenceBits) | (long) shard << sequenceBits | sequence;
    }

    /**
     * Decodes an id.
     *
     * @param id an id of this layout
     * @return its fields
     * @throws MalformedIdException if the id is negative or wider than the layout
     */
    public DecodedId decode(long id) {
        int shard = shardOf(id);
        int sequence = (int) (id & ((1L << sequenceBits) - 1));
        OptionalInt node = sequence < databaseSequences()
                ? OptionalInt.empty()
                : OptionalInt.of((sequence - databaseSequences()) / sequencesPerNode());
        return new DecodedId(id, instantOf(id >>> (shardBits + sequenceBits)), shard, node, sequence);
    }

    /**
     * The logical shard in an id. Routing by id needs no lookup other than this.
     *
     * @param id an id of this layout
     * @return the shard, 0 to {@link #maxShards()} − 1; the shard map knows whether the cluster has it
     * @throws MalformedIdException if the id is negative or wider than the layout
     */
    public int shardOf(long id) {
        if (!isId(id)) {
            throw new MalformedIdException(id + " is no id of the layout " + this + ": ids are 0 to " + maxId()
                    + ". Check whether it was rounded or converted, as JavaScript does with large numbers.");
        }
        return (int) (id >>> sequenceBits) & (maxShards() - 1);
    }

    /**
     * Returns whether a number can be an id of this layout.
     *
     * @param id any number
     * @return true if it is neither negative nor wider than the layout
     */
    public boolean isId(long id) {
        return id >= 0 && id <= maxId();
    }

    /**
     * The largest id.
     *
     * @return 2<sup>63</sup> − 1, or 2<sup>31</sup> − 1 for a layout of 32 bits
     */
    public long maxId() {
        return (1L << (bits() - 1)) - 1;
    }

    /**
     * The ids of one shard whose timestamps are in an interval. Finds rows by creation time without a column for it.
     *
     * @param from the first instant, included (rounded down to the unit)
     * @param to the last instant, included (rounded down to the unit)
     * @param shard the logical shard
     * @return from the shard's smallest id of the first step to its largest id of the last. Use it only in that shard's
     *     schema, because it also contains ids of other shards
     * @throws IllegalArgumentException if {@code from} is after {@code to}, or an instant is outside the layout's time
     * @throws MalformedIdException if the shard is out of range
     */
    public IdRange range(Instant from, Instant to, int shard) {
        return IdRange.of(this, from, to, shard, shard);
    }

    /**
     * The ids of all shards whose timestamps are in an interval.
     *
     * @param from the first instant, included (rounded down to the unit)
     * @param to the last instant, included (rounded down to the unit)
     * @return all ids with those timestamps, of every shard
     * @throws IllegalArgumentException if {@code from} is after {@code to}, or an instant is outside the layout's time
     */
    public IdRange range(Instant from, Instant to) {
        return IdRange.of(this, from, to, 0, maxShards() - 1);
    }

    /**
     * The short, URL-safe text form of an id, as in Instagram's short links.
     *
     * @param id an id of this layout
     * @return 1 to 11 characters of the URL-safe base64 alphabet, most significant first, without leading zeros
     * @throws MalformedIdException if the id is negative or wider than the layout
     */
    public String toText(long id) {
        if (!isId(id)) {
            shardOf(id);
        }
        char[] text = new char[LONGEST_TEXT];
        int at = LONGEST_TEXT;
        long rest = id;
        do {
            text[--at] = DIGITS.charAt((int) (rest & 63));
            rest >>>= 6;
        } while (rest != 0);
        return new String(text, at, LONGEST_TEXT - at);
    }

    /**
     * The inverse of {@link #toText(long)}.
     *
     * @param text the text form of an id
     * @return the id
     * @throws MalformedIdException if the text is empty, contains an invalid character or a leading zero digit, or
     *     encodes a number that is no id of this layout
     */
    public long fromText(String text) {
        if (text.isEmpty() || text.length() > LONGEST_TEXT || (text.length() > 1 && text.charAt(0) == 'A')) {
            throw noText(text);
        }
        long id = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = DIGITS.indexOf(text.charAt(i));
            if (digit < 0 || id > Long.MAX_VALUE >> 6) {
                throw noText(text);
            }
            id = id << 6 | digit;
        }
        if (!isId(id)) {
            throw new MalformedIdException(
                    "\"" + text + "\" is not the text form of an id of the layout " + this + ".");
        }
        return id;
    }

    /**
     * The layout in one line, for messages.
     *
     * @return for example {@code 41·13·10 bits in milliseconds since 2011-08-24T21:07:01.721Z, 64 JVM nodes}
     */
    @Override
    public String toString() {
        return timestampBits + "·" + shardBits + "·" + sequenceBits + " bits in "
                + unit.name().toLowerCase(Locale.ROOT) + " since " + epoch + ", " + jvmNodes + " JVM nodes";
    }

    private Instant instantOf(long timestamp) {
        return epoch.plusMillis(timestamp * unit.millis());
    }

    private static MalformedIdException noText(String text) {
        return new MalformedIdException(
                "\"" + text + "\" is not the text form of an id. It must have 1 to " + LONGEST_TEXT
                        + " characters of A-Z, a-z, 0-9, - and _, without leading A, and encode a number up to "
                        + Long.MAX_VALUE
                        + ".");
    }

    private static void checkWidths(int timestampBits, int shardBits, int sequenceBits) {
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

    private static void checkTime(Instant epoch, TimestampUnit unit, int timestampBits) {
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

    private static void checkNodes(int jvmNodes, int sequenceBits) {
        int half = 1 << (sequenceBits - 1);
        if (jvmNodes < 0 || jvmNodes > half || Integer.bitCount(jvmNodes) > 1) {
            throw new IllegalArgumentException("jvm-nodes must be 0 or a power of two up to " + half + " (half of the "
                    + sequenceBits + "-bit sequence), not " + jvmNodes + ".");
        }
    }

    private void checkField(String field, long value, long max) {
        if (value < 0 || value > max) {
            throw new MalformedIdException("The " + field + " " + value + " does not fit into the layout " + this
                    + ". It must be 0 to " + max + ".");
        }
    }
}
