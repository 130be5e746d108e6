package io.github.shardedid.id;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/** The look at the clock when a cluster starts: whether its layout can make ids at present, and for how long. */
public final class EpochCheck {
    private static final Duration YEARS_TO_MOVE = Duration.ofDays(3 * 365);

    /** Of a layout that lasts less than thirty years, such as one of 32 bits, the last tenth. */
    private static final int TENTHS = 10;

    private static final double DAYS_OF_A_YEAR = 365.25;

    private EpochCheck() {}

    /**
     * Refuses a layout that can make no id at present.
     *
     * @param layout the cluster's layout
     * @param now the present
     * @throws FutureEpochException if the layout's time has not begun
     * @throws EpochExhaustedException if the layout's time is over
     */
    public static void requireTime(IdLayout layout, Instant now) {
        if (now.isBefore(layout.epoch())) {
            throw new FutureEpochException("The epoch " + layout.epoch() + " lies "
                    + text(Duration.between(now, layout.epoch()))
                    + " in the future of this machine's clock, which says "
                    + now + ": ids would have negative timestamps in the layout (" + layout
                    + "). Choose an epoch in the"
                    + " past, or correct the clock. Nothing was changed.");
        }
        if (!now.isBefore(end(layout))) {
            throw new EpochExhaustedException("The time of this cluster's ids ended at " + layout.lastInstant() + ", "
                    + text(Duration.between(layout.lastInstant(), now)) + " ago by this machine's clock, which says "
                    + now + ": no row can get an id any more in the layout (" + layout + "). Move the rows to a new"
                    + " cluster with a later epoch, or correct the clock. Nothing was changed.");
        }
    }

    /**
     * What to say if the layout's time is running out: less than three years are left, or less than a tenth of all its
     * time if that is shorter.
     *
     * @param layout the cluster's layout
     * @param now the present
     * @return the end, the time left and what to do; empty if there is time enough
     */
    public static Optional<String> warning(IdLayout layout, Instant now) {
        Duration left = layout.timeLeft(now);
        Duration tenth = Duration.between(layout.epoch(), layout.lastInstant()).dividedBy(TENTHS);
        Duration enough = tenth.compareTo(YEARS_TO_MOVE) < 0 ? tenth : YEARS_TO_MOVE;
        return left.compareTo(enough) >= 0
                ? Optional.empty()
                : Optional.of("The time of this cluster's ids ends at " + layout.lastInstant() + ", in " + text(left)
                        + ": no row can get an id from then on in the layout (" + layout
                        + "). Plan the move of the rows to a new cluster with a later epoch.");
    }

    private static Instant end(IdLayout layout) {
        return layout.lastInstant().plusMillis(layout.unit().millis());
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
