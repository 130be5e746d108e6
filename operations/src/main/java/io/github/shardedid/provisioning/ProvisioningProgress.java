package io.github.shardedid.provisioning;

import java.time.Duration;
import java.util.Locale;

/**
 * The progress of one kind of work in one database. Immutable.
 *
 * @param database the configured name
 * @param work what is done with the shards
 * @param done shards that are complete, 0 to {@code total}
 * @param total shards that this run works on
 * @param elapsed since the work began
 */
public record ProvisioningProgress(String database, Work work, int done, int total, Duration elapsed) {
    /** The kinds of work on shards. */
    public enum Work {
        /** Their schemas are created. */
        SCHEMAS("schemas created"),
        /** The application's scripts run in them. */
        MIGRATIONS("shards migrated"),
        /** Their histories of scripts are repaired. */
        REPAIRS("shards repaired");

        private final String words;

        Work(String words) {
            this.words = words;
        }
    }

    /**
     * Returns the rate.
     *
     * @return shards per second since the work began; 0 if nothing is done yet
     */
    public double perSecond() {
        return done == 0 ? 0 : done * 1e9 / Math.max(1, elapsed.toNanos());
    }

    /**
     * Returns the estimated time left, at the rate so far.
     *
     * @return zero at the end, and before the first shard is complete
     */
    public Duration left() {
        return done == 0 || done == total
                ? Duration.ZERO
                : Duration.ofMillis(Math.round((total - done) / perSecond() * 1000));
    }

    /** Returns whether all shards are complete. */
    boolean complete() {
        return done == total;
    }

    /** Returns a line for the log: {@code Database pg1: 250 of 1000 shards migrated, 60 a second, 13 s left}. */
    @Override
    public String toString() {
        String text = String.format(
                Locale.ROOT,
                "Database %s: %d of %d %s, %.0f a second, ",
                database,
                done,
                total,
                work.words,
                perSecond());
        return complete()
                ? text + "in " + String.format(Locale.ROOT, "%.1f s", elapsed.toMillis() / 1000.0)
                : text + left().toSeconds() + " s left";
    }
}
