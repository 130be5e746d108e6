package io.github.shardedid.attack;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What an attack has done so far. For one thread. */
final class AttackCounts {
    private final Map<Hit, Integer> hits = new EnumMap<>(Hit.class);
    private final List<Crash> crashes = new ArrayList<>();

    /** What can be done to a cluster. */
    enum Hit {
        KILLS,
        STOPS,
        CANCELS,
        TERMINATES,
        CRASHES,
        CLOCK_STEPS,
        LOCKED_LEASES
    }

    /** A server was down; milliseconds of this machine's clock. */
    record Crash(int database, long from, long to) {
        /** Whether one thing happened before the server was up again, the other after it went down. */
        boolean between(long earlier, long later) {
            return earlier <= to && later >= from;
        }
    }

    void add(Hit hit, int count) {
        hits.merge(hit, count, Integer::sum);
    }

    int of(Hit hit) {
        return hits.getOrDefault(hit, 0);
    }

    void add(Crash crash) {
        add(Hit.CRASHES, 1);
        crashes.add(crash);
    }

    List<Crash> crashes() {
        return crashes;
    }

    @Override
    public String toString() {
        return hits.entrySet().stream()
                .map(hit -> hit.getKey().name().toLowerCase(Locale.ROOT).replace('_', ' ') + " " + hit.getValue())
                .collect(Collectors.joining(", "));
    }
}
