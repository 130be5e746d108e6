package io.github.shardedid.provisioning;

import java.time.Duration;
import java.util.Locale;

/**
 * How far one kind of work has come in one database. Immutable.
 *
 * @param database the configured name
 * @param work what is done with the shards
 * @param done shards that are through, 0 to {@code total}
 * @param total shards that this run found to be worked on
 * @param elapsed since the work began
 */
public record ProvisioningProgress(String database, Work work, int done, int total, Duration elapsed) {
    /** What is done with the shards. */
    public enum Work {
        /** Their schemas are made. */
        SCHEMAS("schemas made"),
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
     * How fast it goes.
     *
     * @return shards per second since the work began; 0 if nothing is done yet
     */
    public double perSecond() {
        return done == 0 ? 0 : done * 1e9 / Math.max(1, elapsed.toNanos());
    }

    /**
     * How long it will take if it goes on like that.
     *
     * @return zero at the end, and as long as nothing is known
     */
    public Duration left() {
        return done == 0 || done == total
                ? Duration.ZERO
                : Duration.ofMillis(Math.round((total - done) / perSecond() * 1000));
    }

    /** Whether all is done. */
    boolean complete() {
        return done == total;
    }

    /** For the log: {@code Database pg1: 250 of 1000 shards migrated, 60 a second, 13 s left}. */
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
