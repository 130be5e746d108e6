package io.github.shardedid.topology;

import io.github.shardedid.ClusterConfigurationException;
import io.github.shardedid.ClusterConfigurationException.Reason;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Map;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A set of logical shards, written as ranges such as {@code 0-999, 1500}. The configuration uses it for the initial shards
 * of a database. Immutable.
 */
public final class ShardRanges {
    /** The empty set: the shards of a database that is added to an existing cluster. */
    public static final ShardRanges NONE = new ShardRanges(new BitSet());

    private static final Pattern RANGE = Pattern.compile("(\\d{1,7})(?:\\s*-\\s*(\\d{1,7}))?");

    private final BitSet shards;

    private ShardRanges(BitSet shards) {
        this.shards = shards;
    }

    /**
     * Parses ranges.
     *
     * @param text numbers and ranges separated by commas, both ends included; blank for none
     * @return the set of shards
     * @throws ClusterConfigurationException if the text is malformed or names a shard twice
     */
    public static ShardRanges parse(String text) {
        if (text.isBlank()) {
            return NONE;
        }
        BitSet shards = new BitSet();
        for (String part : text.split(",", -1)) {
            Matcher range = RANGE.matcher(part.strip());
            if (!range.matches()) {
                throw Reason.SHARD_RANGES.of("\"" + part.strip() + "\" in the shard ranges \"" + text
                        + "\" is neither a shard nor a range. Use the format 0-999, 1500.");
            }
            int first = Integer.parseInt(range.group(1));
            int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
            if (last < first || shards.get(first, last + 1).cardinality() > 0) {
                throw Reason.SHARD_RANGES.of("The range " + part.strip() + " in \"" + text
                        + "\" is descending or repeats a shard. Write each shard once, the smaller number first.");
            }
            shards.set(first, last + 1);
        }
        return new ShardRanges(shards);
    }

    /**
     * Creates a set of the given shards.
     *
     * @param shards shard numbers, 0 or more
     * @return the set
     */
    public static ShardRanges of(int... shards) {
        BitSet set = new BitSet();
        Arrays.stream(shards).forEach(set::set);
        return new ShardRanges(set);
    }

    /**
     * Checks that the ranges assign every shard of a new cluster to exactly one database.
     *
     * @param ranges the configured ranges by database name
     * @param shardCount the number of shards of the cluster
     * @throws ClusterConfigurationException if a shard is assigned twice, not at all, or does not exist; the message names them all
     */
    public static void checkCover(Map<String, ShardRanges> ranges, int shardCount) {
        checkCover(ranges, 0, shardCount);
    }

    /**
     * Checks that the ranges assign every shard that is added to a cluster to exactly one database.
     *
     * @param ranges the new shards by database name
     * @param first the first new shard
     * @param shardCount the number of shards that the cluster will have
     * @throws ClusterConfigurationException if one of them is assigned twice, not at all, or does not exist; the message names them all
     */
    public static void checkCover(Map<String, ShardRanges> ranges, int first, int shardCount) {
        BitSet covered = new BitSet();
        ranges.forEach((database, range) -> {
            range.checkWithin(database, shardCount);
            BitSet twice = (BitSet) covered.clone();
            twice.and(range.shards);
            if (!twice.isEmpty()) {
                throw Reason.SHARD_RANGES.of("The shards " + new ShardRanges(twice) + " are assigned to database "
                        + database + " and to another one: " + ranges
                        + ". Assign each shard to exactly one database.");
            }
            covered.or(range.shards);
        });
        BitSet missing = new BitSet();
        missing.set(first, shardCount);
        missing.andNot(covered);
        if (!missing.isEmpty()) {
            throw Reason.SHARD_RANGES.of(
                    "The shards " + new ShardRanges(missing) + " of " + shardCount + " are assigned to no database: "
                            + ranges + ". Together the ranges must be " + first + "-" + (shardCount - 1) + ".");
        }
    }

    private void checkWithin(String database, int shardCount) {
        if (shards.length() > shardCount) {
            throw Reason.SHARD_RANGES.of(
                    "The shards " + this + " are assigned to database " + database + ", but the cluster has "
                            + shardCount + " shards: 0-" + (shardCount - 1)
                            + ". Increase the number of shards, or shorten the range.");
        }
    }

    /**
     * The shards.
     *
     * @return in ascending order
     */
    public IntStream shards() {
        return shards.stream();
    }

    /**
     * Returns whether the set is empty.
     *
     * @return true for {@link #NONE} and sets equal to it
     */
    public boolean isEmpty() {
        return shards.isEmpty();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ShardRanges ranges && shards.equals(ranges.shards);
    }

    @Override
    public int hashCode() {
        return shards.hashCode();
    }

    /** The shortest text that {@link #parse(String)} accepts for this set. */
    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(", ");
        for (int first = shards.nextSetBit(0); first >= 0; ) {
            int last = shards.nextClearBit(first) - 1;
            text.add(first == last ? Integer.toString(first) : first + "-" + last);
            first = shards.nextSetBit(last + 1);
        }
        return text.toString();
    }
}
