package io.github.shardedid.boot.differential;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random sequences of what an application does give the same answers on a sharded cluster and on one plain schema, or are
 * refused for a reason that can be told from the plain side. {@code sharded-id.test.seed} is that of the first sequence; the long mode
 * goes on for {@code sharded-id.test.attack-minutes}, the short one for seconds.
 */
// What it finds does not depend on how the server is packaged.
@Tag("embedded-only")
class DifferentialIntegrationTests {
    private static final int FEW = 40;
    private static final int MANY = 300;
    private static final int TRIES = 600;

    static Comparison comparison;

    @BeforeAll
    static void start() {
        comparison = new Comparison();
    }

    @AfterAll
    static void stop() {
        comparison.close();
    }

    @Test
    @Tag("quick")
    void randomSequencesGiveTheSameAnswersWithAndWithoutShards() {
        check(FEW, Duration.ofSeconds(5));
    }

    @Tag("attack")
    @Test
    void manyRandomSequencesGiveTheSameAnswersWithAndWithoutShards() {
        if (Boolean.getBoolean("sharded-id.test.longer")) {
            check(Integer.MAX_VALUE, Duration.ofMinutes(Long.getLong("sharded-id.test.attack-minutes", 10)));
        } else {
            check(MANY, Duration.ofSeconds(25));
        }
    }

    private static void check(int sequences, Duration atMost) {
        long first = Long.getLong("sharded-id.test.seed", System.nanoTime());
        System.err.println("seeds from " + first);
        long next = first;
        for (Instant end = Instant.now().plus(atMost); Instant.now().isBefore(end) && next < first + sequences; ) {
            check(next++);
        }
        System.err.println((next - first) + " sequences: " + comparison.counts);
    }

    @Test
    void collectionsOfSeveralShardsAreLoadedWithinATransactionThatWrites() {
        replay(
                new Tx.Begin("REQUIRED", false),
                new Parts.AddShot(8, 1001, "new"),
                new Reads.Contents(List.of(8, 11, 2, 14)),
                new Tx.End(true),
                new Reads.Owners(List.of(1001, 8, 11)));
    }

    @Test
    void aDetachedAlbumIsMergedIntoAProxy() {
        replay(
                new Kept.Keep(1, true),
                new Parts.AddShot(1, 1001, "x"),
                new Tx.Begin("REQUIRED", false),
                new Reads.FindMultiple(Kind.SHOT, List.of(1001)),
                new Kept.MergeKept(1, false));
    }

    @Test
    void aMarkGetsAShardKeyOfAnotherShard() {
        replay(
                new Writes.Save(Kind.MARK, 37, 1, "of shard 1", true),
                new Keys.Rekey(37, 7),
                new Keys.Rekey(37, 2),
                new Keys.MergeRekeyed(37, 4, "merged", true),
                new Keys.MergeRekeyed(38, 4, "new", false),
                new Tx.Begin("REQUIRED", false),
                new Keys.Rekey(37, 8),
                new Tx.End(true));
    }

    private static void check(long seed) {
        List<Step> steps = Sequences.of(seed);
        String first = comparison.difference(steps);
        if (first == null) {
            return;
        }
        List<Step> least = new Shrinker(fewer -> comparison.difference(fewer) != null, TRIES).shrink(steps);
        String last = comparison.difference(least);
        throw new AssertionError("Sharded and plain differ with -Dsharded-id.test.seed=" + seed + ". The least steps:\n"
                + Step.code(least) + "\n"
                + (last != null ? last : "Not each time. At first it was with\n" + Step.code(steps) + "\n" + first));
    }

    /** For the steps that a failure prints. */
    static void replay(Step... steps) {
        String difference = comparison.difference(Stream.of(steps).toList());
        if (difference != null) {
            throw new AssertionError(difference);
        }
    }
}
