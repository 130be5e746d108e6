package io.github.shardedid.move.internal.step;

import io.github.shardedid.move.MoveStep;
import io.github.shardedid.move.internal.journal.Moving;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Ends the wait for a server that is silent while the shard is unavailable. The statements of these steps are short, an offline copy
 * excepted. Copies, indexes and comparisons of a shard that is served may take hours, and have no limit.
 */
final class SilenceLimit implements AutoCloseable {
    /** Added to what a statement may wait for a lock. */
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private static final Set<MoveStep> UNAVAILABLE = Set.of(MoveStep.FENCE, MoveStep.CARRY_OVER, MoveStep.SWITCH);

    private record Limited(Connection connection, int before) {}

    private final Moving moving;
    private final List<Limited> limited = new ArrayList<>();

    SilenceLimit(Moving moving) throws SQLException {
        this.moving = moving;
        for (Connection each : List.of(moving.source(), moving.target())) {
            limited.add(new Limited(each, each.getNetworkTimeout()));
        }
    }

    /** Sets or removes the limit before a step. */
    void before(MoveStep step) throws SQLException {
        boolean copying = step == MoveStep.CARRY_OVER && moving.move().offline();
        long millis = LIMIT.plus(moving.options().lockTimeout()).toMillis();
        for (Limited each : limited) {
            each.connection()
                    .setNetworkTimeout(
                            Runnable::run,
                            UNAVAILABLE.contains(step) && !copying ? Math.toIntExact(millis) : each.before());
        }
    }

    @Override
    public void close() throws SQLException {
        for (Limited each : limited) {
            if (!each.connection().isClosed()) {
                each.connection().setNetworkTimeout(Runnable::run, each.before());
            }
        }
    }
}
