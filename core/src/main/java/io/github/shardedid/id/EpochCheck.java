package io.github.shardedid.id;

import io.github.shardedid.ClusterConfigurationException;
import io.github.shardedid.ClusterConfigurationException.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/** Checks when a cluster starts whether its layout can represent the current time, and for how long. */
public final class EpochCheck {
    private static final Duration YEARS_TO_MOVE = Duration.ofDays(3 * 365);

    /** A layout that lasts less than thirty years, such as one of 32 bits, warns in its last tenth. */
    private static final int TENTHS = 10;

    private static final double DAYS_OF_A_YEAR = 365.25;

    private EpochCheck() {}

    /**
     * Throws an exception if the layout cannot represent the current time.
     *
     * @param layout the cluster's layout
     * @param now the current time
     * @throws ClusterConfigurationException if it is before the layout's epoch, or after its last instant
     */
    public static void requireTime(IdLayout layout, Instant now) {
        if (now.isBefore(layout.epoch())) {
            throw Reason.FUTURE_EPOCH.of("The epoch " + layout.epoch() + " is "
                    + text(Duration.between(now, layout.epoch()))
                    + " in the future (this machine's clock: " + now
                    + "), so ids would have negative timestamps in the layout (" + layout
                    + "). Choose an epoch in the"
                    + " past, or correct the clock. Nothing was changed.");
        }
        if (!now.isBefore(layout.lastInstant().plusMillis(layout.unit().millis()))) {
            throw Reason.EXHAUSTED_EPOCH.of("The time of this cluster's ids ended at " + layout.lastInstant() + ", "
                    + text(Duration.between(layout.lastInstant(), now)) + " ago (this machine's clock: " + now
                    + "). No more ids can be generated in the layout (" + layout + "). Move the rows to a new"
                    + " cluster with a later epoch, or correct the clock. Nothing was changed.");
        }
    }

    /**
     * Returns a warning if the layout's time is running out: less than three years are left, or less than a tenth of its
     * whole time if that is shorter.
     *
     * @param layout the cluster's layout
     * @param now the current time
     * @return the end, the time left and what to do; empty if enough time is left
     */
    public static Optional<String> warning(IdLayout layout, Instant now) {
        Duration left = layout.timeLeft(now);
        Duration tenth = Duration.between(layout.epoch(), layout.lastInstant()).dividedBy(TENTHS);
        Duration enough = tenth.compareTo(YEARS_TO_MOVE) < 0 ? tenth : YEARS_TO_MOVE;
        return left.compareTo(enough) >= 0
                ? Optional.empty()
                : Optional.of("The time of this cluster's ids ends at " + layout.lastInstant() + ", in " + text(left)
                        + ". After that, no ids can be generated in the layout (" + layout
                        + "). Plan to move the rows to a new cluster with a later epoch.");
    }

    private static String text(Duration duration) {
        if (duration.toDays() >= 2 * DAYS_OF_A_YEAR) {
            return String.format(Locale.ROOT, "%.1f years", duration.toDays() / DAYS_OF_A_YEAR);
        }
        if (duration.toDays() >= 2) {
            return duration.toDays() + " days";
        }
        return duration.toHours() >= 2 ? duration.toHours() + " hours" : duration.toSeconds() + " seconds";
    }
}
